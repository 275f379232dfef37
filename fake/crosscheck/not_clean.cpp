#include "fake/crosscheck/not_clean.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <vector>

#include "runtime/base/count_text.h"

namespace ersatz {

namespace {

/// Returns `a, b and 3 other ops`.
std::string some_of(std::span<const std::string_view> ops) {
  constexpr size_t kNamed = 8;
  if (ops.size() <= kNamed) return fmt::format("{}", fmt::join(ops, ", "));
  return fmt::format("{} and {}", fmt::join(ops.first(kNamed), ", "),
                     count_of(static_cast<int64_t>(ops.size() - kNamed), "other op"));
}

}  // namespace

std::string why_not_clean(int64_t compared, const OwnCalls& own) {
  std::vector<std::string_view> called, not_called;
  int64_t calls = 0;
  for (const auto& [op, u] : own.unjudged) {
    calls += u.calls;
    (u.calls > 0 ? called : not_called).push_back(op);
  }
  std::string why;
  if (calls > 0)
    why = fmt::format("{} of {} {} not judged", count_of(calls, "call"), some_of(called), calls == 1 ? "was" : "were");
  if (!not_called.empty())
    why += fmt::format("{}no call of {} was compared", why.empty() ? "" : ", and ", some_of(not_called));
  if (why.empty() && compared == 0) why = "nothing was compared";
  return why;
}

std::string with_reason(std::string line, std::string_view why) {
  if (!why.empty()) line += fmt::format("; not clean: {}", why);
  return line;
}

std::string counts_line(const Report& report) {
  std::string reasons;
  for (int i = 0; i < kSkipReasonCount; ++i) {
    const int64_t n = report.skipped[static_cast<size_t>(i)];
    if (n) reasons += fmt::format("{}{} {}", reasons.empty() ? " (" : ", ", name(static_cast<SkipReason>(i)), n);
  }
  if (!reasons.empty()) reasons += ")";
  return fmt::format("crosscheck: {} compared, {} mismatched, {} skipped{}", report.compared, report.mismatched,
                     report.skipped_total(), reasons);
}

}  // namespace ersatz
