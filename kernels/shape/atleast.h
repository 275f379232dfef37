// `atleast_1d`, `atleast_2d`, `atleast_3d` add dims of size 1; `unflatten` divides one dim into several.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/atleast.h"

namespace ersatz::op_atleast {

/// Returns the input itself if it has enough dims. `atleast_2d` makes a vector a row. `atleast_3d` makes a vector the
/// middle dim, and a matrix the first two dims.
inline constexpr TypedSchema kAtleast{"aten::atleast_{}d(Tensor self) -> Tensor", "1", "2", "3"};
inline constexpr Schema kAtleastSequence{"aten::atleast_{}d.Sequence(Tensor[] tensors) -> Tensor[]"};
/// Divides dim `dim` into dims of `sizes`, one of which may be -1.
/// [unflatten.C1] [unflatten.C2] the product of the sizes is the dim's size; at most one size is -1.
/// [unflatten.C3] there is at least one size.
inline constexpr TypedSchema kUnflattenInt{"aten::unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)"};

}  // namespace ersatz::op_atleast
