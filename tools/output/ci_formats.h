// Reports in the formats of CI systems: SARIF 2.1.0 (annotations at the lines of a model) and JUnit XML (a table of
// passed and failed tests).
//
// Both are made from a command's JSON report. Every report has `findings` (also in `parts`) and either `coverage` or,
// for commands about operators, `ops`. Waived findings are not in a report.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ersatz::tools {

/// Returns a SARIF report with a result for each finding. The rule of a result is the field that differs. Its location
/// is the line of the model, else the recorded call, else the input. Each custom operator with unjudged calls gets a
/// note. Every other reason of the exit status gets a notification.
std::string sarif_text(const nlohmann::ordered_json& report);

/// Returns a JUnit report with a test case for each operator. A case fails if the operator has findings, and is skipped
/// if it is missing or unjudged. One more case is for the command: it fails or has an error if the exit status has
/// another reason.
std::string junit_text(const nlohmann::ordered_json& report);

}  // namespace ersatz::tools
