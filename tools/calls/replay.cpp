#include "tools/calls/replay.h"

#include <algorithm>
#include <set>

#include "tools/calls/replayed_call.h"
#include "tools/calls/replayed_gradients.h"
#include "tools/infer/recorded_prediction.h"
#include "tools/program/missing_ops.h"

namespace ersatz::tools {

int64_t recorded_results(const RecordedOutcome& outcome) {
  return std::max<int64_t>(1,
                           std::count_if(outcome.results.begin(), outcome.results.end(),
                                         [](const RecordedResult& r) { return r.kind != RecordedResult::Kind::None; }));
}

void count_results(const RecordAnswer& answer, Witness witness, Report& to) {
  ++to.nodes;
  if (answer.verdict == Verdict::Skipped || answer.verdict == Verdict::Missing) {
    to.count_skipped(answer.reason, answer.results);
    return;
  }
  to.count_compared(witness, answer.results, answer.mismatched);
  to.values_compared += answer.values_compared;
  to.skip_values(SkipReason::Random) += answer.values_skipped;
}

Report without_results(Report made) {
  Report rest;
  rest.findings = std::move(made.findings);
  rest.coverage = std::move(made.coverage);
  rest.waivers = std::move(made.waivers);
  rest.waived = made.waived;
  rest.cosmetic = made.cosmetic;
  rest.size_one_only = made.size_one_only;
  rest.empty_tensor = made.empty_tensor;
  rest.memory_formats = made.memory_formats;
  rest.value_failures = made.value_failures;
  rest.ambiguous_layouts = made.ambiguous_layouts;
  rest.ambiguous = std::move(made.ambiguous);
  return rest;
}

RecordAnswer replay(Crosscheck& engine, const OpEntry& op, const CallRecord& record, const RunOptions& options) {
  if (record.gradients) return replay_gradients(engine, op, record, options);
  return ReplayedCall(engine, op, record, options).run();
}

RecordAnswer judge_missing(Crosscheck& engine, const CallRecord& record, bool cuda) {
  RecordAnswer answer;
  answer.results = recorded_results(record.outcome);
  if (record.op.starts_with("profiler.")) {
    answer.verdict = Verdict::Skipped;
    answer.why = "a mark for the profiler, which computes nothing";
    return answer;
  }
  answer.verdict = Verdict::Missing;
  // A record without a schema has no prediction that could be compared.
  if (is_pytorchs(record.op) || record.schema.empty()) return answer;
  RecordJudgement judged = judge_by_own_record(record, cuda);
  if (judged.verdict == RecordJudgement::Verdict::NoPrediction || judged.verdict == RecordJudgement::Verdict::Unusable)
    return answer;
  std::set<int> differ;  // indices of the results that differ; -1: an argument or the call itself differs
  for (Finding& f : judged.findings) {
    if (!engine.add(f)) continue;
    differ.insert(f.result);
    answer.findings.push_back(std::move(f));
  }
  answer.results += differ.contains(-1);
  answer.mismatched = static_cast<int64_t>(differ.size());
  answer.verdict = !differ.empty() ? Verdict::Failed : judged.findings.empty() ? Verdict::Passed : Verdict::Waived;
  return answer;
}

}  // namespace ersatz::tools
