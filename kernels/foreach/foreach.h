// Ops on lists of tensors, as optimizers use them: one call does the same to every tensor.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz {

/// Calls one op for each tensor of `self`, in order; foreach_table.def says which. What lists of other tensors or
/// numbers hold at position i goes to call i. So each result has the device, dtype and layout that its own call gives
/// it, and each call refuses what its op refuses. The forms that write return nothing. Constraints of all of them:
/// [_foreach.C1] a tensor at least, but for `_foreach_copy`;
/// [_foreach.C2] lists of one length; sources that `_foreach_copy` has no use for may follow;
/// [_foreach.C3] an `other` that is one tensor is 0-d.
inline constexpr Schema kForeach{"aten::_foreach_{}(Tensor[] self{}) -> Tensor[]{}"};
inline constexpr Schema kForeachInplace{"aten::_foreach_{}(Tensor(a!)[] self{}) -> ()"};

/// Powers of one number; matrix products.
inline constexpr Schema kForeachPowers{
    "aten::_foreach_pow.ScalarAndTensor(Scalar self, Tensor[] exponent) -> Tensor[]"};
inline constexpr Schema kForeachProducts{"aten::_foreach_mm(Tensor[] self, Tensor[] mat2) -> Tensor[]"};

/// `addcdiv` and `addcmul` with the numbers that a tensor holds, one for each call.
/// [_foreach_addcdiv.C6] `scalars` is row-major, with one dim.
inline constexpr Schema kForeachPacked{
    "aten::{}.Tensor(Tensor{}[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor scalars) -> {}"};

/// The largest element of each tensor.
/// [_foreach_max.C4] no empty tensor.
inline constexpr Schema kForeachMax{"aten::_foreach_max(Tensor[] self) -> Tensor[]"};

/// The norm of each tensor, as `linalg_vector_norm` of all its dims.
/// [_foreach_norm.C5] `ord` is no complex number.
inline constexpr Schema kForeachNorm{
    "aten::_foreach_norm.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]"};

/// The sum of powers of each tensor's magnitudes, as `linalg__powsum` of all its dims.
/// [_foreach_powsum.C5] `ord` is no complex number.
inline constexpr Schema kForeachPowsum{
    "aten::_foreach_powsum.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]"};
inline constexpr Schemas kOfOrders{kForeachNorm, kForeachPowsum};

}  // namespace ersatz
