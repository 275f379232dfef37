// Functions that the rules of `cat` and `stack` share: skipped inputs, the promoted dtype, the memory format.
#pragma once

#include "runtime/op/rule.h"
#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// Whether `t` is a 1-d tensor of size 0, which at::cat skips.
inline bool is_skipped_in_cat(const TensorMeta& t) {
  return t.sizes.size() == 1 && t.sizes[0].is_int() && t.sizes[0].as_int() == 0;
}
/// Returns the dtype that PyTorch's result_type gives for a list of tensors.
DType joined_dtype(const RuleCall& call, std::span<const Value> tensors);
/// Returns the memory format that the strides of all inputs suggest, or contiguous if they suggest different formats.
MemoryFormat joined_format(std::span<const Value> tensors);

}  // namespace ersatz
