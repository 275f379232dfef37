// Reads and sums at indices of which a mask names the valid ones.
//
// The indices may lie anywhere: those out of range are clamped, and what they pick counts only where the mask is true.
// Constraints, where `op` is the op's name:
//
// [op.C1]  The indices are i32 or i64.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_masked_index {

/// self[indices] where the mask is true, `fill` elsewhere.
inline constexpr Schema kMaskedIndex{
    "aten::_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor"};
/// `self` with `values` added at the indices where the mask is true: the gradient of the above.
inline constexpr Schema kMaskedIndexPut{
    "aten::_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, Tensor values) -> Tensor"};
inline constexpr Schemas kEach{kMaskedIndex, kMaskedIndexPut};

}  // namespace ersatz::op_masked_index
