// `out=` forms of ATen kernels that write row-major memory alone.
#pragma once

#include "runtime/op/derived.h"
#include "runtime/op/rule.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

/// The derived rule, and that the i-th written argument, unless it is resized, is row-major: label `layout`.
template <size_t i>
void row_major_out_rule(RuleCall& call) {
  derived_out_rule(call);
  const OutputSpec& out = call.out.outputs[i];
  call.require(is_contiguous(out.meta), "layout", "{} must be row-major: it is {}",
               call.op.schema.arguments[call.args.size() - call.out.outputs.size() + i].name, out.meta);
}

}  // namespace ersatz
