// In-place and `out=` variants that are derived from a functional op, with one rule and one kernel for all of them.
//
// The functional op's rule computes the metadata of the result. The variant's rule checks that the result fits the
// written argument, and returns that argument. It checks the sizes (in-place only), the dtype by `can_cast`, and the
// device. It also requires that no two elements of the output share memory and that the output overlaps no input
// partially. If the sizes of an `out=` argument differ from the result's, it is resized to the layout of the functional
// result. The functional op's kernel writes directly into the argument if dtype and memory allow. Else it writes into a
// temporary, which is copied to the argument.
#pragma once

#include <optional>
#include <span>

#include "runtime/op/op_entry.h"

namespace ersatz {

void derived_inplace_rule(RuleCall& call);
void derived_out_rule(RuleCall& call);
/// Like derived_out_rule(call), but with `form` instead of the op's own WrittenForm: for ops whose form depends on the
/// call.
void derived_out_rule(RuleCall& call, const WrittenForm& form);
/// Like derived_out_rule(call), with one WrittenForm for each result; the last one applies to all further results. If
/// `kernel_first`, the error of a missing kernel is raised before the memory of written arguments is checked.
void derived_out_rule(RuleCall& call, std::span<const WrittenForm> forms, bool kernel_first);
/// Like derived_out_rule(call), but raises the error of a missing kernel before it checks the memory of written
/// arguments.
void kernel_first_out_rule(RuleCall& call);
/// Runs the functional op's rule on the variant's own arguments and stores its outputs in `result`. If only the kernel
/// of the functional op is missing, returns the error of the missing kernel, because an error of the written argument
/// comes first. Raises all other errors.
std::optional<Error> ask_functional(const RuleCall& call, RuleResult& result);
/// Checks argument `out`, resizes it for a functional result of metadata `result`, and adds it as the next output. For
/// rules of `out=` ops that cannot use derived_out_rule as a whole.
void answer_out(RuleCall& call, const TensorMeta& result, size_t out, WrittenForm form);
/// The kernel of in-place and `out=` variants, on every device for which the functional op has a kernel.
void derived_kernel(KernelCall& call);

}  // namespace ersatz
