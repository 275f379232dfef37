// Reports in the formats of CI systems: SARIF 2.1.0 (annotations at the lines of a model) and JUnit XML (a table of
// passed and failed tests).
//
// Both are made from a command's JSON report. Every command has `findings` (and those of `parts`) and either `coverage`
// or, for commands about operators, `ops`. Waived findings are not in it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ersatz::tools {

/// A result for each finding. Its place is the line of the model, or else of the recorded call, or else the input; its
/// rule is the differing field. A note for each custom operator with unjudged calls. A notification for every other
/// reason of the exit status.
std::string sarif_text(const nlohmann::ordered_json& report);

/// A test case for each operator. It fails if it has findings, and is skipped if it is missing or unjudged. One more
/// case is for the command. It fails, or has an error, if the exit status has another reason.
std::string junit_text(const nlohmann::ordered_json& report);

}  // namespace ersatz::tools
