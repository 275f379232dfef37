// Helpers for SARIF and JUnit reports, which are made from a JSON report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/output/own_calls_json.h"

namespace ersatz::tools {

/// Returns the report with all bytes replaced that are not UTF-8. Names come from files and may have these bytes, but
/// neither SARIF nor JUnit allows them.
nlohmann::ordered_json clean_report(const nlohmann::ordered_json& report);

/// The place of a finding: a file and a line. Line 0 means the whole file; an empty file means unknown.
struct FindingPlace {
  std::string file;
  int64_t line = 0;
};

/// A finding that was read from a JSON report.
struct ReportedFinding {
  std::string field;
  /// The finding; for `ersatz propagate`, which compares nothing, only `node`, `op` and `source` are set.
  Finding finding;
  std::string message;  ///< for example `predicted {1}, eager says {2}`
  bool compares = true;
  FindingPlace place;

  /// Returns the line of the text report: `relu = aten.relu.default, result 0: stride: predicted {1}, eager says {2}`.
  std::string line() const;
};
/// Returns the findings of `owner`, which is the report or its member `parts`.
std::vector<ReportedFinding> own_findings_of(const nlohmann::ordered_json& owner, const nlohmann::ordered_json& report);
/// Returns all findings of a report, including those about parts of composite nodes.
std::vector<ReportedFinding> findings_of(const nlohmann::ordered_json& report);

/// Returns a message which says that calls of a custom operator were not compared.
std::string not_judged(const std::string& op, const OwnCalls::Unjudged& calls);

/// Returns the text under a key; empty if the key is missing.
std::string text_at(const nlohmann::ordered_json& object, const char* key);

/// Returns why a command ended as it did, if its findings do not show the reason: `nothing was compared`,
/// `interrupted`, ...; else empty.
std::string ended_because(const nlohmann::ordered_json& report);

}  // namespace ersatz::tools
