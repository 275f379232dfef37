// Replays a recorded call with gradients. Its tensor arguments require gradients if they did in the record. Three
// things are compared with the record: `requires_grad` and `is_leaf` of the results, the gradients of one backward run,
// and `.grad` after two backward runs.
#pragma once

#include "tools/calls/replay.h"

namespace ersatz::tools {

/// REQUIRES: record.gradients. The engine's report gets the findings too.
RecordAnswer replay_gradients(Crosscheck& engine, const OpEntry& op, const CallRecord& record,
                              const RunOptions& options);

}  // namespace ersatz::tools
