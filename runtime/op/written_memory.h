// Checks of the memory that a written argument shares with itself and with inputs.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Raises an error if two elements of `written` share memory. Unless `form.may_overlap`, also raises if `written`
/// shares part of its memory with one of `inputs`. The rules in runtime/op/derived.h call this function themselves.
void require_no_overlap(const RuleCall& call, const TensorImpl* written, std::span<const Value> inputs,
                        WrittenForm form);

/// Raises if the written argument `out` is the tensor `input` itself or shares memory with it, because the kernel
/// writes `out` while it reads `input`. `after` is the metadata of `out` when the kernel runs.
void require_memory_apart(const RuleCall& call, size_t input, size_t out, const TensorMeta& after);
/// Like require_memory_apart, but accepts an `input` that has exactly the elements of `out`.
void require_no_partial_overlap(const RuleCall& call, size_t input, size_t out, const TensorMeta& after);

}  // namespace ersatz
