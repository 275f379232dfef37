// Shared by `cat` and `stack`: the inputs that are skipped, the promoted dtype, the common memory format.
#pragma once

#include "runtime/op/rule.h"
#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// Whether `t` is a 1-d tensor of size 0, which ATen's cat skips.
inline bool is_skipped_in_cat(const TensorMeta& t) {
  return t.sizes.size() == 1 && t.sizes[0].is_int() && t.sizes[0].as_int() == 0;
}
/// ATen's result_type of a list of tensors.
DType joined_dtype(const RuleCall& call, std::span<const Value> tensors);
/// The memory format that every input's strides suggest; contiguous if they differ.
MemoryFormat joined_format(std::span<const Value> tensors);

}  // namespace ersatz
