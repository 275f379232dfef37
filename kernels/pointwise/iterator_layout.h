// Computes the sizes and strides of an elementwise result, as at::TensorIterator allocates it.
//
// These are pure functions over metadata, which every elementwise rule calls. The operands' strides decide the order of
// the result's dims in memory:
//
// L1  The operands have equal sizes. If all are contiguous, the result is row-major. If all are 4-d and channels-last,
//     the result is channels-last. If all are non-overlapping and dense with equal strides, the result has these
//     strides. L1 does not apply if an operand is a number, because ATen makes the number a 0-d tensor. Then L2 decides
//     all strides, even those of dims of size 1.
// L2  In all other cases an insertion sort orders the dims, innermost first. It compares two dims by the strides of the
//     first operand, then of the next. A stride of 0 (broadcast) decides nothing. If strides are equal, the smaller
//     size is inner; if sizes are equal too, the order stays. The result is dense in the order found.
// L3  On the CPU, an operand that is converted to the common dtype takes part in L1 and L2 with the strides of the
//     converted copy. The copy has the operand's strides if they are non-overlapping and dense, else the strides of a
//     clone. On CUDA, operands take part with their own strides.
#pragma once

#include <span>

#include "runtime/op/rule.h"

namespace ersatz {

/// The first dim whose sizes do not broadcast, and the two sizes.
struct BroadcastMismatch {
  size_t operand = 0;
  int64_t dim = 0;  ///< dim of the result
  SymInt have = 0, expected = 0;
};

/// Sets sizes and strides of `result` from `operands`, which are tensors. With `convert_to`, L3 applies; nullopt means
/// that the op does not convert. `beside_number` says that the op has a number as an operand too. Returns false, with
/// `mismatch` set, if sizes do not broadcast. REQUIRES: at least one operand.
bool iterator_layout(std::span<const TensorMeta* const> operands, std::optional<DType> convert_to, TensorMeta& result,
                     BroadcastMismatch& mismatch, bool beside_number = false);

/// Calls iterator_layout for a rule. L3 applies if the call is on the CPU and `convert_to` is given. Refuses sizes that
/// do not broadcast, under the label C1.
void iterator_layout(const RuleCall& call, std::span<const TensorMeta* const> operands, std::optional<DType> convert_to,
                     TensorMeta& result, bool beside_number = false);

/// Sets `sizes` to the broadcast sizes of `operands`. Returns false, with `mismatch` set, if they do not broadcast.
bool broadcast_sizes(std::span<const TensorMeta* const> operands, DimVec& sizes, BroadcastMismatch& mismatch);

}  // namespace ersatz
