// In-place and `out=` variants derived from a functional op: one rule and one kernel for all of them.
//
// The functional rule decides what the result would be; the variant checks that it fits the written argument (sizes for
// in-place, dtype by `can_cast`, device, no element of the output written twice, no partial overlap with an input) and
// answers that argument itself. An `out=` argument of other sizes is resized to the functional result's layout. The
// functional kernel then writes straight into the argument where dtype and memory allow it, else through a temporary.
#pragma once

#include "runtime/op_entry.h"

namespace ersatz {

void derived_inplace_rule(RuleCall& call);
void derived_out_rule(RuleCall& call);
/// Refuses an `out=` argument that would be resized over an input: the input would be read as what it no longer is.
void require_no_input_resized(const RuleCall& call, const TensorImpl* written, const TensorMeta& resized,
                              std::span<const Value> inputs);
/// Serves both kinds, on any device whose functional kernel exists.
void derived_kernel(KernelCall& call);

}  // namespace ersatz
