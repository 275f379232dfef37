// How the `out=` forms of pooling take their arguments. ATen's kernels do not look whether these lie in the memory of
// the input, and those for volumes not whether elements of theirs are one. What a call leaves behind is the result for
// the input as it was, of elements that are one the last in row-major order. Included by rules only.
#pragma once

#include "runtime/op/derived.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

inline constexpr WrittenForm kPooledForm{.may_overlap = true};

/// Of images: the kernels copy to an argument that is not dense, and a copy wants elements with memory of their own.
inline void pooled_image_out_rule(RuleCall& call) {
  derived_out_rule(call);
  for (const OutputSpec& out : call.out.outputs) {
    call.require(
        out.meta.is_symbolic() || internal_overlap(out.meta) != Overlap::Yes, "overlap",
        "more than one element of the written-to tensor {} refers to a single memory location; clone() it first",
        out.meta);
  }
}

/// Gives the written arguments of an `out=` call the strides of the functional result, by the rule `functional`, also
/// where their sizes fit. REQUIRES: they are outputs of the call already.
inline void lay_out_anew(RuleCall& call, Rule functional) {
  RuleResult result;
  RuleCall inner = call.functional(result);
  functional(inner);
  for (size_t i = 0; i < result.outputs.size(); ++i) {
    call.out.outputs[i].meta.strides = result.outputs[i].meta.strides;
    call.out.outputs[i].metadata_changed = true;
  }
}

}  // namespace ersatz
