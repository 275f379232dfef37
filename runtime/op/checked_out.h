// A variant of answer_out (derived.h) for rules that check the memory of `out` before they check their other arguments.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Like answer_out, without the check for shared memory. REQUIRES: the rule has called require_no_overlap
/// (written_memory.h) with `out`, the arguments before `out`, and `form`.
void answer_checked_out(RuleCall& call, const TensorMeta& result, size_t out, WrittenForm form);

}  // namespace ersatz
