// Part of one dim: `slice`, `select`, `narrow`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/slice.h"

namespace ersatz::op_slice {

/// Every `step`-th index of [start, end); both count from the end where negative and are clamped to the dim.
/// [slice.C1] the input has dims (index error).
/// [slice.C2] step > 0.
inline constexpr TypedSchema kSliceTensor{
    "aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)"};
/// One index of a dim, the dim gone.
/// [select.C1] the input has dims (index error).
/// [select.C2] the index lies in [-size, size) (index error).
inline constexpr TypedSchema kSelectInt{"aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)"};
/// `length` indices from `start`, counted from the end where it is negative.
/// [narrow.C1] the input has dims.
/// [narrow.C2] length >= 0.
/// [narrow.C3] start lies in [-size, size] (index error).
/// [narrow.C4] all of them exist.
inline constexpr TypedSchema kNarrow{"aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)"};
/// The same with a start that is read from a tensor.
/// [narrow.C5] start is an integer tensor without dims.
inline constexpr TypedSchema kNarrowTensor{
    "aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)"};

}  // namespace ersatz::op_slice
