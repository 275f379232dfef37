#include "fake/report.h"

#include <numeric>

namespace ersatz {

std::string_view name(SkipReason r) {
  constexpr std::string_view names[] = {"unsupported", "data_dependent", "random", "tainted", "unwitnessed"};
  return names[static_cast<int>(r)];
}

int64_t Report::skipped_total() const { return std::accumulate(skipped.begin(), skipped.end(), int64_t(0)); }

void Report::add(const Report& other) {
  nodes += other.nodes;
  results += other.results;
  compared += other.compared;
  mismatched += other.mismatched;
  cosmetic += other.cosmetic;
  values_compared += other.values_compared;
  value_failures += other.value_failures;
  waived += other.waived;
  for (size_t i = 0; i < skipped.size(); ++i) skipped[i] += other.skipped[i];
  for (size_t i = 0; i < values_skipped.size(); ++i) values_skipped[i] += other.values_skipped[i];
  for (size_t i = 0; i < witnesses.size(); ++i) witnesses[i] += other.witnesses[i];
  record_wrong.insert(record_wrong.end(), other.record_wrong.begin(), other.record_wrong.end());
  findings.insert(findings.end(), other.findings.begin(), other.findings.end());
}

std::string closing_line(const Report& report) {
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
