// Reports in the formats that CI systems read: SARIF 2.1.0 (annotations beside the lines of a model) and JUnit XML (a
// table of passed and failed tests).
//
// Both are made of a command's JSON report, which says the same of every command: `findings` (and those of `parts`),
// and what was looked at: `coverage` or, of commands that judge operators, `ops`. Waived findings are not in it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ersatz::tools {

/// A result for each finding, with the line of the model, else of the recorded call, else the input as its place; the
/// field that differs is the rule. A note for each of the user's own operators that nothing judged. What the exit
/// status says beyond that is a notification.
std::string sarif_text(const nlohmann::ordered_json& report);

/// A test case for each operator, failed where there are findings and skipped where it is missing or nothing judged it,
/// and one for the command, which fails or is in error where the exit status is not that of a clean run for another
/// reason.
std::string junit_text(const nlohmann::ordered_json& report);

}  // namespace ersatz::tools
