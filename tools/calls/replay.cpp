#include "tools/calls/replay.h"

#include <algorithm>

#include "tools/calls/replayed_call.h"

namespace ersatz::tools {

int64_t recorded_results(const RecordedOutcome& outcome) {
  return std::max<int64_t>(1,
                           std::count_if(outcome.results.begin(), outcome.results.end(),
                                         [](const RecordedResult& r) { return r.kind != RecordedResult::Kind::None; }));
}

RecordAnswer replay(Crosscheck& engine, const OpEntry& op, const CallRecord& record, const ReplayOptions& options) {
  return ReplayedCall(engine, op, record, options).run();
}

}  // namespace ersatz::tools
