// LiveSession's functions for operators without a rule. Their calls are compared with the predictions of their fake
// kernels.
#include <fnmatch.h>

#include <algorithm>
#include <set>

#include "runtime/op/dispatch.h"
#include "tools/calls/replay.h"
#include "tools/infer/recorded_prediction.h"
#include "tools/live/live_session.h"
#include "tools/program/missing_ops.h"
#include "tracer/records/record_print.h"

namespace ersatz::tools {

bool LiveSession::is_excluded(std::string_view name) const {
  return std::any_of(excluded.begin(), excluded.end(), [&](const std::string& pattern) {
    return fnmatch(pattern.c_str(), std::string(name).c_str(), 0) == 0;
  });
}

void LiveSession::leave_unjudged(std::string_view name, std::string_view why) {
  if (is_pytorchs(name)) return;
  OwnCalls::Unjudged& u = counted_.own.unjudged[std::string(name)];
  if (++u.calls == 1) u.why = why;
}

void LiveSession::note_judged(std::string_view name) {
  if (!own_judged_.contains(name)) own_judged_.emplace(name);
}

size_t LiveSession::judge_own(const OpEntry& op, const LiveOutcome& outcome) {
  const auto results = static_cast<int64_t>(results_that_count(outcome.results));
  const OwnPrediction& said = *prediction_;
  if (!said.outcome && !said.by_data) return skip(&op, op.name, said.why, static_cast<size_t>(results)), 0;
  const auto is_written = [&](size_t i) {
    const bool moved =
        outcome.versions_before[i] != outcome.versions_after[i] ||
        std::find(outcome.rewritten.begin(), outcome.rewritten.end(), static_cast<int>(i)) != outcome.rewritten.end();
    return moved && !is_declared_written(op, i);
  };
  const bool known = own.was_known();
  // PyTorch's own operators may leave results unwritten, because some of them return workspaces.
  const bool unwritten = !outcome.unwritten.empty() && !is_pytorchs(op.name);
  if (!outcome.error && !unwritten && as_predicted(said, call_, outcome.results, outcome.after, is_written)) {
    note_judged(op.name);
    return add_own({}, {}, results, known);
  }
  // The first prediction may come from a cheaper run (OwnOps::ask_on_meta). If the call differs from it, or if sizes
  // depend on data, the fake kernel is asked after the call, once for all calls with equal metadata.
  CallRecord record = this->record(op, outcome);
  if (!unwritten) record.unwritten.clear();
  if (said.by_data || !said.is_final) {
    const OwnPrediction again = own.asked_again(op, record);
    if (!again.outcome) return skip(&op, op.name, again.why, static_cast<size_t>(results)), 0;
    record.fake = again.outcome;
    record.unknown = again.unknown;
    if (!record.unknown.empty()) note_unknown_sizes(op, record);
  } else {
    record.fake = said.outcome;
  }
  RecordJudgement judged = judge_by_own_record(record);
  if (judged.verdict == RecordJudgement::Verdict::NoPrediction ||
      judged.verdict == RecordJudgement::Verdict::Unusable) {
    return skip(&op, op.name, judged.why, static_cast<size_t>(results)), 0;
  }
  note_judged(op.name);
  if (judged.findings.empty() && !said.by_data) own.agreed(op);
  return add_own(std::move(judged.findings), std::move(record), results, known);
}

void LiveSession::judge_record(std::string_view name, const std::string& line, std::string_view why) {
  ++calls_;
  const SuspendModes alone;
  const LiveDevices::Scope scope(devices);
  CallRecord record;
  try {
    record = parse_call_record(line, "its record");
  } catch (const Error& e) {  // an argument has a type that records cannot hold
    return skip(nullptr, name, e.message, 1);
  }
  record.id = fmt::format("call{}", calls_);
  const auto results = recorded_results(record.outcome);
  RecordJudgement judged = judge_by_own_record(record);
  if (!why.empty()) judged.why = why;
  if (!why.empty() || judged.verdict == RecordJudgement::Verdict::NoPrediction ||
      judged.verdict == RecordJudgement::Verdict::Unusable) {
    return skip(nullptr, record.op, judged.why, static_cast<size_t>(results));
  }
  const size_t before = engine_.report().findings.size();
  note_judged(record.op);
  const size_t made = add_own(std::move(judged.findings), std::move(record), results, false);
  if (stops_ && made > 0) stop(engine_.report().findings[std::min(before, engine_.report().findings.size() - 1)]);
}

void LiveSession::note_unknown_sizes(const OpEntry& op, CallRecord record) {
  for (const auto& [result, dims] : record.unknown) {
    for (const int64_t dim : dims) {
      const auto [at, is_new] =
          unknown_.try_emplace({&op, result, dim}, Unknown{UnknownSize(result, static_cast<size_t>(dim))});
      if (is_new && where) record.at = where();
      Unknown& u = at->second;
      u.size.see(record);
      if (u.to_change.empty() && to_change && u.is_known())
        u.to_change = to_change(print_call_record(record), FindingField::DynamicSize, result);
    }
  }
}

size_t LiveSession::add_own(std::vector<Finding> findings, CallRecord record, int64_t results, bool known) {
  const size_t before = engine_.report().findings.size();
  ++counted_.nodes;
  ++counted_.own.judged;
  counted_.own.known += known;
  std::set<int> differ;  // indices of the results that differ; -1: an argument or the call itself differs
  for (Finding& f : findings) {
    const std::string line = to_change ? to_change(print_call_record(record), f.field, f.result) : std::string();
    if (!line.empty()) f.cause += fmt::format("{}to change: {}", f.cause.empty() ? "" : "; ", line);
    const int result = f.result;
    if (engine_.add(std::move(f))) differ.insert(result);
  }
  counted_.count_compared(Witness::Eager, results + int64_t(differ.contains(-1)), static_cast<int64_t>(differ.size()));
  return findings.empty() ? 0 : fold(before, std::move(record));
}

bool LiveSession::is_declared_written(const OpEntry& op, size_t tensor) const {
  bool declared = false;
  for (const uint16_t at : op.written) {
    for_each_tensor(call_.arguments().subspan(at, 1),
                    [&](const TensorImpl* t) { declared |= t->storage == call_.tensors()[tensor].impl()->storage; });
  }
  return declared;
}

}  // namespace ersatz::tools
