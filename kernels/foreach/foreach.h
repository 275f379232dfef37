// `_foreach_*` operators on lists of tensors, which optimizers call: one call for all tensors.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz {

/// Calls one operator of foreach_table.def for each tensor of `self`, in order. The call for element i of `self` gets
/// element i of every other list. Device, dtype and layout of each result, and all errors, are those of the called
/// operator. In-place and `out=` forms return nothing. Constraints of all these ops:
/// [_foreach.C1] `self` is not empty, except for `_foreach_copy`.
/// [_foreach.C2] all lists have one length. `_foreach_copy` ignores surplus sources.
/// [_foreach.C3] an `other` that is a tensor is 0-d.
inline constexpr Schema kForeach{"aten::_foreach_{}(Tensor[] self{}) -> Tensor[]{}"};
inline constexpr Schema kForeachInplace{"aten::_foreach_{}(Tensor(a!)[] self{}) -> ()"};

/// kForeachPowers raises the number `self` to each power in the tensors `exponent`. kForeachProducts multiplies each
/// pair of matrices.
inline constexpr Schema kForeachPowers{
    "aten::_foreach_pow.ScalarAndTensor(Scalar self, Tensor[] exponent) -> Tensor[]"};
inline constexpr Schema kForeachProducts{"aten::_foreach_mm(Tensor[] self, Tensor[] mat2) -> Tensor[]"};

/// Calls `addcdiv` or `addcmul` for each tensor of `self`. `scalars` has the number for each call.
/// [_foreach_addcdiv.C6] `scalars` is 1-d and row-major.
inline constexpr Schema kForeachPacked{
    "aten::{}.Tensor(Tensor{}[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor scalars) -> {}"};

/// Returns the largest element of each tensor.
/// [_foreach_max.C4] no tensor is empty.
inline constexpr Schema kForeachMax{"aten::_foreach_max(Tensor[] self) -> Tensor[]"};

/// Returns the norm of each tensor: `linalg_vector_norm` over all its dims.
/// [_foreach_norm.C5] `ord` is not complex.
inline constexpr Schema kForeachNorm{
    "aten::_foreach_norm.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]"};

/// Returns for each tensor the sum of powers of absolute values: `linalg__powsum` over all its dims.
/// [_foreach_powsum.C5] `ord` is not complex.
inline constexpr Schema kForeachPowsum{
    "aten::_foreach_powsum.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]"};
inline constexpr Schemas kOfOrders{kForeachNorm, kForeachPowsum};

}  // namespace ersatz
