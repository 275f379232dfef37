// unfold and diagonal: views that read windows and diagonals.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/unfold.h"

namespace ersatz::op_unfold {

/// Windows of `size` elements, one every `step` elements along `dimension`. The window is a new last dim.
/// [unfold.C1] size is not negative.
/// [unfold.C2] size is at most the dim's size (1 for a 0-d tensor).
/// [unfold.C3] step is positive.
inline constexpr TypedSchema kUnfold{"aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)"};
/// The diagonal of two dims as a new last dim, `offset` above (positive) or below the main one.
/// [diagonal.C1] the two dims differ.
inline constexpr TypedSchema kDiagonal{
    "aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)"};

}  // namespace ersatz::op_unfold
