// In-place and `out=` variants derived from a functional op: one rule and one kernel for all of them.
//
// The functional rule decides what the result would be; the variant checks that it fits the written argument (sizes for
// in-place, dtype by `can_cast`, device, no element of the output written twice, no partial overlap with an input) and
// returns that argument itself. An `out=` argument of other sizes is resized to the functional result's layout. The
// functional kernel then writes straight into the argument where dtype and memory allow it, else through a temporary.
#pragma once

#include <optional>
#include <span>

#include "runtime/op/op_entry.h"

namespace ersatz {

void derived_inplace_rule(RuleCall& call);
void derived_out_rule(RuleCall& call);
/// The same by another form than the entry's, for ops whose form goes by the call.
void derived_out_rule(RuleCall& call, const WrittenForm& form);
/// The same where each result is written by a form of its own, those after the last by the last. `kernel_first`: a
/// missing kernel is told before the memory of what is written is looked at.
void derived_out_rule(RuleCall& call, std::span<const WrittenForm> forms, bool kernel_first);
/// The rule of an `out=` form whose kernel runs before the memory of what is written is looked at.
void kernel_first_out_rule(RuleCall& call);
/// Asks the functional op's rule about the variant's own arguments. The refusal of a missing kernel is returned, not
/// raised: what is wrong with the written argument comes first.
std::optional<Error> ask_functional(const RuleCall& call, RuleResult& result);
/// Makes argument `out` the next output, checked and resized for a functional result of metadata `result`: for rules of
/// `out=` forms that are not derived as a whole.
void answer_out(RuleCall& call, const TensorMeta& result, size_t out, WrittenForm form);
/// Serves both kinds, on any device whose functional kernel exists.
void derived_kernel(KernelCall& call);

}  // namespace ersatz
