#include "fake/mode/real_report.h"

#include <fmt/format.h>

namespace ersatz {
namespace {

std::string at(const std::string& source) { return source.empty() ? "" : " at " + source; }
std::string times(int64_t count) { return count == 1 ? "" : fmt::format(" ({} times)", count); }

}  // namespace

std::string to_string(const RealReport& report) {
  if (report.successful()) return "every value was carried\n";
  std::string text;
  for (const ValueLoss& l : report.losses) {
    text += fmt::format("lost: {}{}: {}\n", l.op.empty() ? "a tensor that entered" : l.op, at(l.source), l.reason);
    for (const ValueLoss::Affected& a : l.affected) {
      text += fmt::format("  so {} was not run for real{}\n", a.op, times(a.count));
    }
  }
  for (const DataUse& u : report.data_uses) {
    text += fmt::format("data-dependent: {}{} saw {}{}\n", u.op, at(u.source), u.value.text, times(u.count));
  }
  for (const RealMismatch& m : report.mismatches) {
    text += fmt::format("mismatch{}: {}{}\n", at(m.source), m.message, times(m.count));
  }
  for (const MissingRule& m : report.missing_rules) {
    text += fmt::format("no rule: {} was answered by its kernel{}\n", m.op, times(m.count));
  }
  const auto decided = [&](const char* how, const std::vector<DecidedCondition>& conditions) {
    for (const DecidedCondition& c : conditions) {
      text += fmt::format("{}: {}{}{}{}\n", how, c.condition, c.op.empty() ? "" : ", asked by " + c.op, at(c.source),
                          times(c.count));
    }
  };
  decided("decided by real values", report.data_decisions);
  decided("guard", report.guards);
  return text;
}

}  // namespace ersatz
