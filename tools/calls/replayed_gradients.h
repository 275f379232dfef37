// A recorded call with gradients, replayed: the call with the same leaves, the flags of its results, the gradients of a
// backward run and what two runs leave in `.grad`. The record is the witness.
#pragma once

#include "tools/calls/replay.h"

namespace ersatz::tools {

/// REQUIRES: record.gradients. The report has the findings too.
RecordAnswer replay_gradients(Crosscheck& engine, const OpEntry& op, const CallRecord& record,
                              const RunOptions& options);

}  // namespace ersatz::tools
