// Replays a recorded call with gradients. A tensor argument requires gradients if it did in the record. The replay
// compares with the record: `requires_grad` and `is_leaf` of the results, the gradients of one backward run, and
// `.grad` after two backward runs.
#pragma once

#include "tools/calls/replay.h"

namespace ersatz::tools {

/// Replays the call and its backward runs. Findings are added to the engine's report too. REQUIRES: record.gradients is
/// set.
RecordAnswer replay_gradients(Crosscheck& engine, const OpEntry& op, const CallRecord& record,
                              const RunOptions& options);

}  // namespace ersatz::tools
