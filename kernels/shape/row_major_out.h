// The rule of `out=` forms whose ATen kernel can write only row-major memory.
#pragma once

#include "runtime/op/derived.h"
#include "runtime/op/rule.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

/// Calls derived_out_rule, and refuses under the label `layout` an `out` argument i that keeps its strides and is not
/// row-major.
template <size_t i>
void row_major_out_rule(RuleCall& call) {
  derived_out_rule(call);
  const OutputSpec& out = call.out.outputs[i];
  call.require(is_contiguous(out.meta), "layout", "{} must be row-major: it is {}",
               call.op.schema.arguments[call.args.size() - call.out.outputs.size() + i].name, out.meta);
}

}  // namespace ersatz
