// The memory that a written argument shares: with itself, with inputs.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Refuses what a form refuses of it: elements that share memory with each other, or, but for a `form` that may
/// overlap, partly with one of the `inputs`. Derived forms ask by themselves (runtime/op/derived.h).
void require_no_overlap(const RuleCall& call, const TensorImpl* written, std::span<const Value> inputs,
                        WrittenForm form);

}  // namespace ersatz
