// Sliding windows and diagonals: views that read elements in an order of their own.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/unfold.h"

namespace ersatz::op_unfold {

/// Windows of `size` elements every `step` along `dimension`; the window becomes a new last dim.
/// [unfold.C1] size >= 0.
/// [unfold.C2] size is at most the dim's (1 for a 0-d tensor).
/// [unfold.C3] step > 0.
inline constexpr TypedSchema kUnfold{"aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)"};
/// The diagonal of two dims as a new last dim; `offset` above (positive) or below the main one.
/// [diagonal.C1] two different dims.
inline constexpr TypedSchema kDiagonal{
    "aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)"};

}  // namespace ersatz::op_unfold
