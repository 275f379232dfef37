// Replays one recorded call. The crosscheck engine runs it fake and real and compares both with the recorded outcome. A
// record has one verdict; each of its results counts as a result of the report.
#pragma once

#include "tools/program/run_options.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// The largest number of bytes allowed for one storage. A record from an unknown source could ask for any size.
inline constexpr int64_t kMostCallBytes = int64_t(1) << 30;

/// The result of replaying a record.
enum class Verdict : uint8_t {
  Passed,
  Failed,   ///< at least one finding
  Waived,   ///< each of its findings is waived
  Missing,  ///< the operator is not registered
  Skipped   ///< could not be compared; `reason` says why
};

struct RecordAnswer {
  Verdict verdict = Verdict::Passed;
  SkipReason reason = SkipReason::Unsupported;  ///< set if the verdict is Skipped
  std::string why;                              ///< the reason of Skipped in words
  /// True if ersatz has results for a call although the recording system has no kernel for it.
  bool extension = false;
  bool bug = false;        ///< ersatz raised an InternalError
  bool synthetic = false;  ///< inputs without recorded values were filled with seeded numbers
  /// True if the call was skipped because values that were not recorded decide whether it raises.
  bool values_decide = false;
  /// The next members are set only if the record's source is a prediction. A call is compared only if the prediction
  /// and ersatz both accept it.
  bool prediction_refused = false;  ///< the prediction refuses the call, ersatz accepts it
  bool prediction_accepts = false;  ///< the prediction accepts the call, ersatz refuses it
  /// If ersatz refuses the call: the label of the violated constraint or the kind of the error, and the error's
  /// message.
  std::string refusal, refusal_words;
  bool prediction_contradicted = false;  ///< ersatz differs only in fields that the recorder's CPU run contradicts
  int64_t results = 1;                   ///< number of recorded tensors and numbers; at least one
  int64_t mismatched = 0;                ///< results with a finding
  int64_t values_compared = 0;
  int64_t values_skipped = 0;  ///< number of values that were not compared because the inputs do not determine them
  bool only_values = false;    ///< the verdict is Failed, and all findings have the field `value`
  std::vector<Finding> findings;
};

/// Number of recorded tensors and numbers. At least 1, so that a call that raises or returns nothing counts too.
int64_t recorded_results(const RecordedOutcome& outcome);

/// Adds the record to `to` as one call. Its results are added as compared, mismatched or skipped, as the answer says.
void count_results(const RecordAnswer& answer, Witness witness, Report& to);
/// Returns `made` with the counts of calls and results set to zero, because count_results counts them for each record.
Report without_results(Report made);

/// Replays the record. REQUIRES: `engine` was made with the same `no_real`. Findings are added to the engine's report
/// too. On CUDA the result is compared with the recorded prediction if `no_real` is set, else with the same call on the
/// CPU.
RecordAnswer replay(Crosscheck& engine, const OpEntry& op, const CallRecord& record, const RunOptions& options);

/// The answer for an operator that is not registered. For a custom operator, the recorded fake prediction is compared
/// with the recorded run (recorded_prediction.h). An operator of PyTorch, or one without a recorded prediction, is
/// Missing. A profiler marker is Skipped.
RecordAnswer judge_missing(Crosscheck& engine, const CallRecord& record, bool cuda);

}  // namespace ersatz::tools
