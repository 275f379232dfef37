// Compares the fake prediction in a record with the run in the same record.
//
// The operator need not be registered, so calls of custom operators are compared this way. A record without a separate
// prediction says that prediction and run are equal (docs/call-records.md).
#pragma once

#include "fake/crosscheck/finding.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

struct RecordJudgement {
  enum class Verdict : uint8_t {
    Agrees,        ///< in dtype, sizes, strides, offset, bits, memory, writes and errors
    Differs,       ///< `findings` say where
    NoPrediction,  ///< the recorder's fake gave no answer; `why` has the reason
    Unusable       ///< the record has something that is not supported here; `why` names it
  } verdict = Verdict::Agrees;
  std::vector<Finding> findings;  ///< predicted: the fake's; observed: the run's
  std::string why;
  /// Differences that follow from a finding about the memory of a result, as (result, field).
  std::vector<std::pair<int, FindingField>> absorbed;
};

/// Compares the prediction for the CPU or, with `cuda`, the prediction for CUDA, in which devices are ignored.
RecordJudgement judge_by_own_record(const CallRecord& record, bool cuda = false);

}  // namespace ersatz::tools
