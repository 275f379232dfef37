#include "tools/calls/replay.h"

#include <algorithm>

#include "tools/calls/replayed_call.h"

namespace ersatz::tools {

Tolerance record_tolerance_of(DType t) {
  switch (real_dtype(t)) {
    case DType::F64:
      return {1e-9, 1e-9};
    case DType::F32:
      return {1e-4, 1e-4};
    case DType::F16:
      return {2e-3, 2e-3};
    case DType::BF16:
      return {2e-2, 2e-2};
    default:
      return {0, 0};
  }
}

int64_t recorded_results(const RecordedOutcome& outcome) {
  return std::max<int64_t>(1,
                           std::count_if(outcome.results.begin(), outcome.results.end(),
                                         [](const RecordedResult& r) { return r.kind != RecordedResult::Kind::None; }));
}

RecordAnswer replay(Crosscheck& engine, const OpEntry& op, const CallRecord& record, const ReplayOptions& options) {
  return ReplayedCall(engine, op, record, options).run();
}

}  // namespace ersatz::tools
