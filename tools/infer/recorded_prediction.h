// Compares the fake prediction in a record with the run in the same record.
//
// The operator need not be registered, so this works for calls of custom operators. A record without a separate
// prediction says that prediction and run are equal (docs/call-records.md).
#pragma once

#include "fake/crosscheck/finding.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

struct RecordJudgement {
  enum class Verdict : uint8_t {
    Agrees,        ///< in dtype, sizes, strides, offset, conj and neg bits, memory, writes and errors
    Differs,       ///< `findings` has the differences
    NoPrediction,  ///< the recorder's fake kernel gave no answer; `why` has the reason
    Unusable       ///< the record has something that ersatz does not support; `why` names it
  } verdict = Verdict::Agrees;
  std::vector<Finding> findings;  ///< `predicted` is the fake kernel's, `observed` the run's
  std::string why;
  /// Differences that follow from a finding about a result's memory, as (result, field). They are not in `findings`.
  std::vector<std::pair<int, FindingField>> absorbed;
};

/// Compares the record's prediction for the CPU with its run or, if `cuda` is set, the prediction for CUDA. Devices are
/// then ignored.
RecordJudgement judge_by_own_record(const CallRecord& record, bool cuda = false);

}  // namespace ersatz::tools
