// Dims of size 1 added where a tensor has few, and one dim made several: `atleast_1d`, `atleast_2d`, `atleast_3d`,
// `unflatten`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/atleast.h"

namespace ersatz::op_atleast {

/// The input itself if it has as many dims. A vector is a row of `atleast_2d`, and the middle dim of `atleast_3d`,
/// where a matrix comes first.
inline constexpr TypedSchema kAtleast{"aten::atleast_{}d(Tensor self) -> Tensor", "1", "2", "3"};
inline constexpr Schema kAtleastSequence{"aten::atleast_{}d.Sequence(Tensor[] tensors) -> Tensor[]"};
/// Dim `dim` as several, one of which may be -1.
/// [unflatten.C1] [unflatten.C2] sizes that hold what the dim holds, and one -1 at most.
/// [unflatten.C3] a size at least.
inline constexpr TypedSchema kUnflattenInt{"aten::unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)"};

}  // namespace ersatz::op_atleast
