#include "tools/live/live_gradients.h"

#include <fmt/format.h>

#include "runtime/base/count_text.h"
#include "runtime/op/registry.h"
#include "tools/calls/replay.h"
#include "tools/live/live_session.h"

namespace ersatz::tools {

void GradientCounts::add(const GradientCounts& other) {
  compared += other.compared;
  for (const auto& [why, operators] : other.left_out) {
    for (const auto& [op, n] : operators) left_out[why][op] += n;
  }
}

std::string GradientCounts::text() const {
  int64_t not_compared = 0;
  std::string lines;
  for (const auto& [why, operators] : left_out) {
    int64_t calls = 0;
    std::string names;
    for (const auto& [op, n] : operators) calls += n, names += fmt::format("{}{} {}", names.empty() ? "" : ", ", op, n);
    not_compared += calls;
    lines += fmt::format("gradients not compared, {}: {} ({})\n", why, count_of(calls, "call"), names);
  }
  return fmt::format("gradients: {} compared, {} not\n{}", count_of(compared, "call"), not_compared, lines);
}

std::string LiveSession::judge_gradients(const std::string& line, const std::string& at) {
  CallRecord record = parse_call_record(line, "live");
  const OpEntry* const op = registry().find(record.op);
  if (!op) return "no such operator here";
  RunOptions how;
  how.no_real = true;
  if (record.on_cuda) how.device = cuda();
  std::vector<Finding>& findings = engine_.report().findings;
  const size_t before = findings.size();
  const RecordAnswer answer = replay(engine_, *op, record, how);
  std::vector<Finding> found(std::make_move_iterator(findings.begin() + static_cast<ptrdiff_t>(before)),
                             std::make_move_iterator(findings.end()));
  findings.resize(before);
  if (answer.verdict == Verdict::Skipped) return answer.why;
  for (Finding& f : found) f.node.clear(), f.witness = Witness::Eager;
  add_gradient_findings(std::move(found), std::move(record), line, at);
  return "";
}

void LiveSession::add_gradient_findings(std::vector<Finding> found, CallRecord record, const std::string& repro,
                                        const std::string& at) {
  std::vector<Finding>& findings = engine_.report().findings;
  const size_t before = findings.size();
  for (Finding& f : found) {
    const bool kept = engine_.add(std::move(f));  // false if the finding is waived
    counted_.count_compared(Witness::Eager, kept, kept);
  }
  const auto now = std::exchange(where, [&] { return at; });
  fold(before, std::move(record));
  where = now;
  for (size_t i = before; i < findings.size(); ++i) findings[i].repro = repro;
}

}  // namespace ersatz::tools
