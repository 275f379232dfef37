// Reads and sums at indices, with a mask of the valid ones.
//
// Indices may be out of range: they are clamped, and the mask should be false for them. Constraints, where `op` is the
// op's name:
//
// [op.C1]  The indices are i32 or i64.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_masked_index {

/// self[indices] for elements at which the mask is true, `fill` for the others.
inline constexpr Schema kMaskedIndex{
    "aten::_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor"};
/// `self` with `values` added at the indices whose mask is true: the gradient of `_unsafe_masked_index`.
inline constexpr Schema kMaskedIndexPut{
    "aten::_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, Tensor values) -> Tensor"};
inline constexpr Schemas kEach{kMaskedIndex, kMaskedIndexPut};

}  // namespace ersatz::op_masked_index
