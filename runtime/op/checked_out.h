// The rest of answer_out (derived.h) for a rule that looks at the memory of `out` before it looks at other arguments.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Like answer_out. REQUIRES: the rule has called require_no_overlap (written_memory.h) for `out`, the arguments before
/// it and `form`.
void answer_checked_out(RuleCall& call, const TensorMeta& result, size_t out, WrittenForm form);

}  // namespace ersatz
