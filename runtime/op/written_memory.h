// Checks the memory that a written argument shares with itself and with inputs.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Raises an error if elements of `written` share memory with each other. Unless `form` may overlap, also if `written`
/// shares part of its memory with one of the `inputs`. Derived forms call it themselves (runtime/op/derived.h).
void require_no_overlap(const RuleCall& call, const TensorImpl* written, std::span<const Value> inputs,
                        WrittenForm form);

}  // namespace ersatz
