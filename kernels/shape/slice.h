// Views of a range or of one index of a dim: `slice`, `select`, `narrow`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/slice.h"

namespace ersatz::op_slice {

/// Returns a view of every `step`-th index of [start, end). A negative bound counts from the end. Both bounds are
/// clamped to the dim.
/// [slice.C1] the input has dims (IndexError).
/// [slice.C2] step is positive.
inline constexpr TypedSchema kSliceTensor{
    "aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)"};
/// Returns a view of one index of dim `dim`, which is removed.
/// [select.C1] the input has dims (IndexError).
/// [select.C2] the index is in [-size, size) (IndexError).
inline constexpr TypedSchema kSelectInt{"aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)"};
/// Returns a view of `length` indices from `start` on. A negative `start` counts from the end.
/// [narrow.C1] the input has dims.
/// [narrow.C2] length is not negative.
/// [narrow.C3] start is in [-size, size] (IndexError).
/// [narrow.C4] start + length is at most the dim's size.
inline constexpr TypedSchema kNarrow{"aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)"};
/// Works like `narrow`, and reads `start` from a tensor.
/// [narrow.C5] start is an integer tensor without dims.
inline constexpr TypedSchema kNarrowTensor{
    "aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)"};

}  // namespace ersatz::op_slice
