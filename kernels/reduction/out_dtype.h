// `out=` forms in which the out argument's dtype decides, as `dtype` would, what the reduction computes in.
//
// The derived rule and kernel (runtime/op/derived.h) do the rest: they get the call with `dtype` filled in.
#pragma once

#include <vector>

#include "runtime/op/derived.h"

namespace ersatz {

/// The arguments with `dtype` (at that position) set to the dtype of the last argument, `out`, where it is None.
inline std::vector<Value> with_dtype_of_out(std::span<const Value> args, size_t dtype_argument) {
  std::vector<Value> filled(args.begin(), args.end());
  if (filled[dtype_argument].is_none()) filled[dtype_argument] = Value(filled.back().tensor_impl()->meta.dtype);
  return filled;
}

template <size_t DTypeArgument>
void rule_by_out_dtype(RuleCall& call) {
  const std::vector<Value> args = with_dtype_of_out(call.args, DTypeArgument);
  RuleCall filled = call.with(args, call.out);
  derived_out_rule(filled);
}

template <size_t DTypeArgument>
void kernel_by_out_dtype(KernelCall& call) {
  const std::vector<Value> args = with_dtype_of_out(call.args, DTypeArgument);
  KernelCall filled{call.op, args, call.outputs, call.context};
  derived_kernel(filled);
}

/// Makes `out` such a variant.
template <size_t DTypeArgument>
void compute_in_dtype_of_out(OpEntry& out) {
  out.with_rule(rule_by_out_dtype<DTypeArgument>).every_device(kernel_by_out_dtype<DTypeArgument>);
}

}  // namespace ersatz
