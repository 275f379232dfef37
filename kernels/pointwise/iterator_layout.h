// The layout of an elementwise result: broadcast sizes and output strides, as ATen's TensorIterator allocates them.
//
// Pure functions over metadata, used by every elementwise rule. The order of the result's dims in memory follows the
// operands' strides:
//
// L1  All operands of the same sizes and all contiguous: row-major. All channels-last (4-d): channels-last. All
//     non-overlapping and dense with equal strides: those strides, to the word. Not where a number is an operand, which
//     ATen makes a tensor without dims: then L2 decides the strides of dims of one element too.
// L2  Otherwise dims are sorted, innermost first, by an insertion sort that asks the operands in turn: a stride of 0
//     (broadcast) says nothing, equal strides fall to the smaller size, a tie is left as it is; the result is dense in
//     that order.
// L3  On the CPU an operand whose dtype is not the common one counts with the strides of its converted copy: its own
//     where it is non-overlapping and dense, else those that a clone would get. On CUDA operands count as they are.
#pragma once

#include <span>

#include "runtime/op/rule.h"

namespace ersatz {

/// The first dim that does not broadcast.
struct BroadcastMismatch {
  size_t operand = 0;
  int64_t dim = 0;  ///< of the result
  SymInt have = 0, expected = 0;
};

/// Sets sizes and strides of `result` from the operands (at least one; numbers are left out by the caller). Operands
/// are converted to `convert_to` first where L3 says so; pass nullopt for ops that do not convert. False: `mismatch`
/// says which sizes do not broadcast. `beside_number`: a number is one more operand.
bool iterator_layout(std::span<const TensorMeta* const> operands, std::optional<DType> convert_to, TensorMeta& result,
                     BroadcastMismatch& mismatch, bool beside_number = false);

/// The same for a rule: converts on the CPU when `convert_to` is given, refuses sizes that do not broadcast with label
/// C1.
void iterator_layout(const RuleCall& call, std::span<const TensorMeta* const> operands, std::optional<DType> convert_to,
                     TensorMeta& result, bool beside_number = false);

/// Sizes after broadcasting; false with `mismatch` set where they do not.
bool broadcast_sizes(std::span<const TensorMeta* const> operands, DimVec& sizes, BroadcastMismatch& mismatch);

}  // namespace ersatz
