// `unfold` and `diagonal`: views of windows and of diagonals.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/unfold.h"

namespace ersatz::op_unfold {

/// Returns a view of windows of `size` elements that begin every `step` elements along `dimension`. The elements of a
/// window are in a new last dim.
/// [unfold.C1] size is not negative.
/// [unfold.C2] size is at most the dim's size (1 for a 0-d tensor).
/// [unfold.C3] step is positive.
inline constexpr TypedSchema kUnfold{"aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)"};
/// Returns a view of a diagonal of dims `dim1` and `dim2` as a new last dim. Diagonal `offset` is above the main
/// diagonal if positive, below it if negative.
/// [diagonal.C1] the two dims differ.
inline constexpr TypedSchema kDiagonal{
    "aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)"};

}  // namespace ersatz::op_unfold
