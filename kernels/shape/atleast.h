// `atleast_1d`, `atleast_2d`, `atleast_3d` add dims of size 1; `unflatten` replaces one dim by several.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/atleast.h"

namespace ersatz::op_atleast {

/// Returns `self` if it has at least as many dims as the op's name says. `atleast_2d` gives a vector of n elements the
/// sizes [1, n]. `atleast_3d` gives a vector the sizes [1, n, 1], and a matrix [m, n] the sizes [m, n, 1].
inline constexpr TypedSchema kAtleast{"aten::atleast_{}d(Tensor self) -> Tensor", "1", "2", "3"};
inline constexpr Schema kAtleastSequence{"aten::atleast_{}d.Sequence(Tensor[] tensors) -> Tensor[]"};
/// Replaces dim `dim` by dims of the given sizes. One of `sizes` may be -1: it is computed from the dim's size.
/// [unflatten.C1] [unflatten.C2] the product of `sizes` is the size of the dim; at most one size is -1.
/// [unflatten.C3] `sizes` is not empty.
inline constexpr TypedSchema kUnflattenInt{"aten::unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)"};

}  // namespace ersatz::op_atleast
