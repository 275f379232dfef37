// The judging of a recorded call by the record itself: what its recorder's fake predicted against what its run did.
//
// No op is needed for that: it is how calls of ops that are foreign to ersatz are judged. A record without a prediction
// of its own says that the prediction was that of the run (docs/call-records.md).
#pragma once

#include "fake/crosscheck/finding.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

struct RecordJudgement {
  enum class Verdict : uint8_t {
    Agrees,        ///< in dtype, sizes, strides, offset, bits, memory, writes and errors
    Differs,       ///< `findings` say where
    NoPrediction,  ///< the recorder's fake gave no answer: `why` says so
    Unusable       ///< the record holds what cannot be held here: `why` names it and where it stands
  } verdict = Verdict::Agrees;
  std::vector<Finding> findings;  ///< predicted: the fake's; observed: the run's; witness: the eager run
  std::string why;
  /// What follows from the memory of a result being another one, and is no finding of its own: (result, field).
  std::vector<std::pair<int, FindingField>> absorbed;
};

/// Judges the prediction for the CPU, or, with `cuda`, the one for CUDA (devices aside).
RecordJudgement judge_by_own_record(const CallRecord& record, bool cuda = false);

}  // namespace ersatz::tools
