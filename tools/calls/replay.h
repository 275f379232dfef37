// One recorded call replayed: fake and for real through the crosscheck engine, which judges it by what was recorded. A
// record is one verdict; each of its results is a result of the report.
#pragma once

#include "tools/program/run_options.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// Bytes of one storage: records are calls of strangers, and sizes made up for a call multiply.
inline constexpr int64_t kMostCallBytes = int64_t(1) << 30;

/// How a record ended.
enum class Verdict : uint8_t {
  Passed,
  Failed,   ///< at least one finding
  Waived,   ///< its findings have a reason
  Missing,  ///< the operator is not registered
  Skipped   ///< cannot be judged: see the reason
};

struct RecordAnswer {
  Verdict verdict = Verdict::Passed;
  SkipReason reason = SkipReason::Unsupported;  ///< of Skipped
  std::string why;                              ///< of Skipped, for people
  bool extension = false;                       ///< ersatz has results where the other system has no kernel
  bool bug = false;                             ///< an InternalError
  bool made_up = false;                         ///< inputs without recorded values were filled with seeded numbers
  bool values_decide = false;                   ///< Skipped: values that were not recorded decide whether it raises
  /// With a prediction as witness: only calls that both sides accept are compared.
  bool prediction_refused = false;       ///< it refuses, ersatz accepts
  bool prediction_accepts = false;       ///< it accepts, ersatz refuses
  std::string refusal, refusal_words;    ///< of a call that ersatz refuses: by this label or kind, in these words
  bool prediction_contradicted = false;  ///< ersatz differs from it only where the recorder's CPU run does
  int64_t results = 1;                   ///< tensors and numbers that were recorded; at least one
  int64_t mismatched = 0;                ///< of them
  int64_t values_compared = 0;
  int64_t values_skipped = 0;  ///< recorded, and not determined by the inputs
  bool only_values = false;    ///< Failed, and every finding is one of values
  std::vector<Finding> findings;
};

/// Tensors and numbers among what was recorded; at least one, so that an error and a call without results count too.
int64_t recorded_results(const RecordedOutcome& outcome);

/// Counts the record as one call, and its results as what the answer says they are.
void count_results(const RecordAnswer& answer, Witness witness, Report& to);
/// What an engine that replays records counts by itself: all but calls and results, which are counted by record.
Report without_results(Report made);

/// Replays the record. The engine was made with the same `no_real`; its report has the findings too. On CUDA the
/// witness is the recorded prediction with `no_real`, else the same call on the CPU.
RecordAnswer replay(Crosscheck& engine, const OpEntry& op, const CallRecord& record, const RunOptions& options);

/// The answer for an operator that is not registered. An operator of the user's own is judged by its record: what its
/// fake kernel predicted (recorded_prediction.h). An operator of PyTorch, or one without a recorded prediction, is
/// missing. A mark for the profiler is skipped.
RecordAnswer judge_missing(Crosscheck& engine, const CallRecord& record, bool cuda);

}  // namespace ersatz::tools
