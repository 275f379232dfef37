// Checks of the memory layout of matrices for products on CUDA. Each error suggests a call that returns the right
// layout.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Raises unless the last two dims of argument `p` are row-major: the stride of the last dim is 1.
inline void require_row_major(const RuleCall& call, std::string_view label, Position p) {
  const TensorMeta& t = call.meta(p);
  const std::string& name = call.op.schema.arguments[p].name;
  call.require(check_eq(t.strides.back(), 1), label, "{} must be row-major, strides are {}: pass {}.contiguous()", name,
               t.strides, name);
}
/// Raises unless the last two dims of argument `p` are column-major: the stride of the second to last dim is 1.
inline void require_column_major(const RuleCall& call, std::string_view label, Position p) {
  const TensorMeta& t = call.meta(p);
  const std::string& name = call.op.schema.arguments[p].name;
  const std::string_view turn = t.dim() == 2 ? "t()" : "transpose(-2, -1)";
  call.require(check_eq(t.strides[t.sizes.size() - 2], 1), label,
               "{} must be column-major, strides are {}: pass {}.{}.contiguous().{}", name, t.strides, name, turn,
               turn);
}

}  // namespace ersatz
