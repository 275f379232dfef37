// Reads and sums at indices, with a mask of the indices that are valid.
//
// Indices may be out of range: they are clamped, and the caller's mask should be false for them. Constraints. In
// labels, `op` is the op's name:
//
// [op.C1]  The indices are i32 or i64.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_masked_index {

/// Returns self[indices] at elements at which the mask is true, and `fill` elsewhere.
inline constexpr Schema kMaskedIndex{
    "aten::_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor"};
/// Returns `self` with `values` added at the indices at which the mask is true. It is the gradient of
/// `_unsafe_masked_index`.
inline constexpr Schema kMaskedIndexPut{
    "aten::_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, Tensor values) -> Tensor"};
inline constexpr Schemas kEach{kMaskedIndex, kMaskedIndexPut};

}  // namespace ersatz::op_masked_index
