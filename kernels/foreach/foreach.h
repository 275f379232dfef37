// `_foreach_*` operators on lists of tensors, as optimizers use them: one call for all tensors.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz {

/// Calls one operator for each tensor of `self`, in order, as listed in foreach_table.def. Call i gets element i of
/// each other list. Each result has the device, dtype and layout of its own call, and each call raises its operator's
/// errors. In-place and `out=` forms return nothing. Constraints of all:
/// [_foreach.C1] at least one tensor, except for `_foreach_copy`;
/// [_foreach.C2] lists have one length, except that `_foreach_copy` ignores surplus sources;
/// [_foreach.C3] an `other` that is a tensor is 0-d.
inline constexpr Schema kForeach{"aten::_foreach_{}(Tensor[] self{}) -> Tensor[]{}"};
inline constexpr Schema kForeachInplace{"aten::_foreach_{}(Tensor(a!)[] self{}) -> ()"};

/// One number to the powers of each tensor (kForeachPowers); matrix products (kForeachProducts).
inline constexpr Schema kForeachPowers{
    "aten::_foreach_pow.ScalarAndTensor(Scalar self, Tensor[] exponent) -> Tensor[]"};
inline constexpr Schema kForeachProducts{"aten::_foreach_mm(Tensor[] self, Tensor[] mat2) -> Tensor[]"};

/// `addcdiv` and `addcmul` with scalars in a tensor, one for each call.
/// [_foreach_addcdiv.C6] `scalars` is 1-d and row-major.
inline constexpr Schema kForeachPacked{
    "aten::{}.Tensor(Tensor{}[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor scalars) -> {}"};

/// The largest element of each tensor.
/// [_foreach_max.C4] no tensor is empty.
inline constexpr Schema kForeachMax{"aten::_foreach_max(Tensor[] self) -> Tensor[]"};

/// The norm of each tensor: `linalg_vector_norm` over all its dims.
/// [_foreach_norm.C5] `ord` is not complex.
inline constexpr Schema kForeachNorm{
    "aten::_foreach_norm.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]"};

/// The sum of powers of each tensor's magnitudes: `linalg__powsum` over all its dims.
/// [_foreach_powsum.C5] `ord` is not complex.
inline constexpr Schema kForeachPowsum{
    "aten::_foreach_powsum.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]"};
inline constexpr Schemas kOfOrders{kForeachNorm, kForeachPowsum};

}  // namespace ersatz
