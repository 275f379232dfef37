// Checks the memory that a written argument shares with itself and with inputs.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Raises an error if elements of `written` share memory with each other. Unless `form` may overlap, also if `written`
/// shares part of its memory with one of the `inputs`. Derived forms call it themselves (runtime/op/derived.h).
void require_no_overlap(const RuleCall& call, const TensorImpl* written, std::span<const Value> inputs,
                        WrittenForm form);

/// Refuses a call whose written argument `out` is the tensor `input` itself, or shares memory with it: the operator's
/// kernel reads the one while it writes the other. `after`: the metadata of `out` when the kernel runs.
void require_memory_apart(const RuleCall& call, size_t input, size_t out, const TensorMeta& after);
/// Like require_memory_apart, but `input` may have exactly the elements of `out`.
void require_no_partial_overlap(const RuleCall& call, size_t input, size_t out, const TensorMeta& after);

}  // namespace ersatz
