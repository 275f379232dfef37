// The layout of an elementwise result: broadcast sizes and output strides, as ATen's TensorIterator allocates them.
//
// Pure functions over metadata, used by every elementwise rule. The order of the result's dims in memory follows the
// operands' strides:
//
// L1  Operands of the same sizes: all contiguous give row-major; all channels-last (4-d) give channels-last; all
// non-overlapping and dense with equal strides give exactly these strides. L1 does not apply if a number is an operand:
// ATen makes it a tensor without dims, and then L2 decides the strides of dims of size 1 too.
// L2  Otherwise an insertion sort orders the dims, innermost first, comparing strides operand by operand. A stride of 0
// (broadcast) decides nothing, among equal strides the smaller size is inner, and a tie keeps the order. The result is
// dense in that order.
// L3  On the CPU an operand whose dtype is not the common one counts with the strides of its converted copy. These are
// its own strides if it is non-overlapping and dense, else those of a clone. On CUDA operands count unconverted.
#pragma once

#include <span>

#include "runtime/op/rule.h"

namespace ersatz {

/// The first dim whose sizes do not broadcast.
struct BroadcastMismatch {
  size_t operand = 0;
  int64_t dim = 0;  ///< dim of the result
  SymInt have = 0, expected = 0;
};

/// Sets sizes and strides of `result` from the operands: at least one tensor; the caller leaves numbers out. With
/// `convert_to`, L3 applies; nullopt is for ops that do not convert. Returns false, with `mismatch` set, if sizes do
/// not broadcast. `beside_number`: a number is an operand too.
bool iterator_layout(std::span<const TensorMeta* const> operands, std::optional<DType> convert_to, TensorMeta& result,
                     BroadcastMismatch& mismatch, bool beside_number = false);

/// iterator_layout for a rule. L3 applies on the CPU if `convert_to` is given. Refuses sizes that do not broadcast with
/// label C1.
void iterator_layout(const RuleCall& call, std::span<const TensorMeta* const> operands, std::optional<DType> convert_to,
                     TensorMeta& result, bool beside_number = false);

/// Sets `sizes` to the broadcast sizes. Returns false, with `mismatch` set, if the operands do not broadcast.
bool broadcast_sizes(std::span<const TensorMeta* const> operands, DimVec& sizes, BroadcastMismatch& mismatch);

}  // namespace ersatz
