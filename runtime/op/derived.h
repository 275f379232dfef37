// In-place and `out=` variants derived from a functional op: one rule and one kernel for all of them.
//
// The functional rule computes the metadata of the result. The variant checks that they fit the written argument and
// returns that argument. It checks sizes for in-place, dtype by `can_cast`, device, that no two elements of the output
// share memory, and that the output overlaps no input partially. An `out=` argument of other sizes is resized to the
// functional result's layout. The functional kernel writes directly into the argument if dtype and memory allow it,
// else through a temporary.
#pragma once

#include <optional>
#include <span>

#include "runtime/op/op_entry.h"

namespace ersatz {

void derived_inplace_rule(RuleCall& call);
void derived_out_rule(RuleCall& call);
/// Like derived_out_rule(call), but with `form` instead of the entry's form: for ops whose form depends on the call.
void derived_out_rule(RuleCall& call, const WrittenForm& form);
/// Like derived_out_rule(call), with one form for each result; the last form applies to all further results. If
/// `kernel_first`, the error of a missing kernel is raised before the memory of written arguments is checked.
void derived_out_rule(RuleCall& call, std::span<const WrittenForm> forms, bool kernel_first);
/// derived_out_rule(call) with `kernel_first`.
void kernel_first_out_rule(RuleCall& call);
/// Runs the functional op's rule on the variant's own arguments. The error of a missing kernel is returned if the
/// rule named its results, because an error of the written argument takes precedence. Other errors are raised.
std::optional<Error> ask_functional(const RuleCall& call, RuleResult& result);
/// Makes argument `out` the next output, after it is checked and resized for a functional result of metadata `result`.
/// It is for rules of `out=` forms that derived_out_rule does not serve as a whole.
void answer_out(RuleCall& call, const TensorMeta& result, size_t out, WrittenForm form);
/// The kernel of in-place and `out=` variants, on every device for which the functional op has a kernel.
void derived_kernel(KernelCall& call);

}  // namespace ersatz
