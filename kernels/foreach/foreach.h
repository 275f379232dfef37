// Ops on lists of tensors, as optimizers use them: one call does the same to every tensor.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz {

/// Calls one op for each tensor of `self`, in order; foreach_table.def says which. What lists of other tensors or
/// numbers hold at position i goes to call i. So each result has the device, dtype and layout that its own call gives
/// it, and each call refuses what its op refuses. The in-place forms return nothing. Constraints of all of them:
/// [_foreach.C1] a tensor at least, but for `_foreach_copy`;
/// [_foreach.C2] lists of one length; sources that `_foreach_copy` has no use for may follow;
/// [_foreach.C3] an `other` that is one tensor is 0-d.
inline constexpr Schema kForeach{"aten::_foreach_{}(Tensor[] self{}) -> Tensor[]{}"};
inline constexpr Schema kForeachInplace{"aten::_foreach_{}(Tensor(a!)[] self{}) -> ()"};

/// The largest element of each tensor.
/// [_foreach_max.C4] no empty tensor.
inline constexpr Schema kForeachMax{"aten::_foreach_max(Tensor[] self) -> Tensor[]"};

/// The norm of each tensor, as `linalg_vector_norm` of all its dims.
/// [_foreach_norm.C5] `ord` is no complex number.
inline constexpr Schema kForeachNorm{
    "aten::_foreach_norm.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]"};

}  // namespace ersatz
