// Ranges and indices of one dim: `slice`, `select`, `narrow`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/slice.h"

namespace ersatz::op_slice {

/// Every `step`-th index of [start, end). Negative bounds count from the end; both are clamped to the dim.
/// [slice.C1] the input has dims (IndexError).
/// [slice.C2] step is positive.
inline constexpr TypedSchema kSliceTensor{
    "aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)"};
/// One index of a dim; the dim is removed.
/// [select.C1] the input has dims (IndexError).
/// [select.C2] the index is in [-size, size) (IndexError).
inline constexpr TypedSchema kSelectInt{"aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)"};
/// `length` indices from `start` on, which counts from the end if it is negative.
/// [narrow.C1] the input has dims.
/// [narrow.C2] length is not negative.
/// [narrow.C3] start is in [-size, size] (IndexError).
/// [narrow.C4] start + length is at most the dim's size.
inline constexpr TypedSchema kNarrow{"aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)"};
/// `narrow` with a start that is read from a tensor.
/// [narrow.C5] start is an integer tensor without dims.
inline constexpr TypedSchema kNarrowTensor{
    "aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)"};

}  // namespace ersatz::op_slice
