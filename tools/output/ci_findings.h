// Parts of a JSON report that both formats for CI systems use.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/output/own_calls_json.h"

namespace ersatz::tools {

/// The report with bytes that are not UTF-8 replaced: names come from files, and neither format allows other bytes.
nlohmann::ordered_json clean_report(const nlohmann::ordered_json& report);

/// The place of a finding: a file and a line in it. Line 0: the whole file. An empty file: unknown.
struct FindingPlace {
  std::string file;
  int64_t line = 0;
};

/// A finding of a report.
struct ReportedFinding {
  std::string field;
  Finding finding;      ///< for `ersatz propagate`, which compares nothing: only `node`, `op` and `source`
  std::string message;  ///< `predicted {1}, eager says {2}`
  bool compares = true;
  FindingPlace place;

  /// The text report's line: `relu = aten.relu.default, result 0: stride: predicted {1}, eager says {2}`.
  std::string line() const;
};
/// The findings of a report, or of its `parts`.
std::vector<ReportedFinding> own_findings_of(const nlohmann::ordered_json& owner, const nlohmann::ordered_json& report);
/// All findings of a report, with those of parts of composite nodes.
std::vector<ReportedFinding> findings_of(const nlohmann::ordered_json& report);

/// The message about unjudged calls of an operator of the user's own.
std::string not_judged(const std::string& op, const OwnCalls::Unjudged& calls);

/// The text under a key; empty if there is none.
std::string text_at(const nlohmann::ordered_json& object, const char* key);

/// Why a command ended as it did, if findings do not show it: `nothing was compared`, `interrupted`, ...; else empty.
std::string ended_because(const nlohmann::ordered_json& report);

}  // namespace ersatz::tools
