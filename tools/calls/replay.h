// Replays one recorded call. The crosscheck engine runs it fake and real and compares both with the recorded outcome. A
// record has one verdict; each of its results counts as a result of the report.
#pragma once

#include "tools/program/run_options.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// Limit for the bytes of one storage. Records come from strangers, and the sizes of a call multiply.
inline constexpr int64_t kMostCallBytes = int64_t(1) << 30;

/// How a record ended.
enum class Verdict : uint8_t {
  Passed,
  Failed,   ///< at least one finding
  Waived,   ///< each of its findings is waived
  Missing,  ///< the operator is not registered
  Skipped   ///< cannot be compared; `reason` says why
};

struct RecordAnswer {
  Verdict verdict = Verdict::Passed;
  SkipReason reason = SkipReason::Unsupported;  ///< of Skipped
  std::string why;                              ///< of Skipped, for people
  bool extension = false;                       ///< ersatz has results where the other system has no kernel
  bool bug = false;                             ///< an InternalError
  bool synthetic = false;                       ///< inputs without recorded values were filled with seeded numbers
  bool values_decide = false;                   ///< Skipped: values that were not recorded decide whether it raises
  /// These three are for records whose source is a prediction. Only calls that both sides accept are compared.
  bool prediction_refused = false;       ///< the prediction refuses the call, ersatz accepts it
  bool prediction_accepts = false;       ///< the prediction accepts the call, ersatz refuses it
  std::string refusal, refusal_words;    ///< if ersatz refuses: label or kind of its error, and the message
  bool prediction_contradicted = false;  ///< ersatz differs only in fields that the recorder's CPU run contradicts
  int64_t results = 1;                   ///< tensors and numbers that were recorded; at least one
  int64_t mismatched = 0;                ///< results with a finding
  int64_t values_compared = 0;
  int64_t values_skipped = 0;  ///< recorded values that the inputs do not determine
  bool only_values = false;    ///< Failed, and every finding has the field `value`
  std::vector<Finding> findings;
};

/// Number of recorded tensors and numbers. At least 1, so that an error or a call without results counts.
int64_t recorded_results(const RecordedOutcome& outcome);

/// Adds the record to `to` as one call, and its results as compared, mismatched or skipped, as the answer says.
void count_results(const RecordAnswer& answer, Witness witness, Report& to);
/// A replay engine's report without its counts of calls and results: those are counted by record.
Report without_results(Report made);

/// Replays the record. `engine` must have been made with the same `no_real`; its report gets the findings too. On CUDA
/// the result is compared with the recorded prediction if `no_real` is set, else with the same call on the CPU.
RecordAnswer replay(Crosscheck& engine, const OpEntry& op, const CallRecord& record, const RunOptions& options);

/// The answer for an operator that is not registered. A custom operator is checked by its record alone: its recorded
/// fake prediction is compared with its recorded run (recorded_prediction.h). An operator of PyTorch, or one without a
/// recorded prediction, is Missing. A profiler marker is Skipped.
RecordAnswer judge_missing(Crosscheck& engine, const CallRecord& record, bool cuda);

}  // namespace ersatz::tools
