// What both formats for CI systems need of a JSON report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

/// The report with bytes that are no UTF-8 replaced: names come from files, and neither format can hold such.
nlohmann::ordered_json clean_report(const nlohmann::ordered_json& report);

/// Where a finding is: a file and a line of it; 0: the file as a whole. An empty file: unknown.
struct FindingPlace {
  std::string file;
  int64_t line = 0;
};

/// A finding of a report.
struct ReportedFinding {
  std::string field;
  Finding finding;      ///< of a command that compares nothing, `ersatz propagate`: `node`, `op` and `source` alone
  std::string message;  ///< `predicted {1}, eager says {2}`
  bool compares = true;
  FindingPlace place;

  /// As in text: `relu = aten.relu.default, result 0: stride: predicted {1}, eager says {2}`.
  std::string line() const;
};
/// The findings of a report, or of its `parts`.
std::vector<ReportedFinding> own_findings_of(const nlohmann::ordered_json& owner, const nlohmann::ordered_json& report);
/// All findings of a report, those of parts of composite nodes too.
std::vector<ReportedFinding> findings_of(const nlohmann::ordered_json& report);

/// Calls of the user's own operators that nothing judged, by operator: `own.unjudged` of a report.
std::vector<std::pair<std::string, int64_t>> unjudged_of(const nlohmann::ordered_json& report);

/// What is said of them.
std::string not_judged(const std::string& op, int64_t calls);

/// The text under a key; empty where there is none.
std::string text_at(const nlohmann::ordered_json& object, const char* key);

/// Why a command ended as it did where findings do not say so: `nothing was compared`, `interrupted`, ...; empty where
/// there is nothing to add.
std::string ended_because(const nlohmann::ordered_json& report);

}  // namespace ersatz::tools
