// Replays a recorded call with gradients. The call gets leaves as in the record. The flags of its results, the
// gradients of a backward run and `.grad` after two runs are compared with the record.
#pragma once

#include "tools/calls/replay.h"

namespace ersatz::tools {

/// REQUIRES: record.gradients. The engine's report gets the findings too.
RecordAnswer replay_gradients(Crosscheck& engine, const OpEntry& op, const CallRecord& record,
                              const RunOptions& options);

}  // namespace ersatz::tools
