// Calls of the user's own operators in JSON reports, and the status of a report that is not clean because of them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "fake/crosscheck/report.h"

namespace ersatz::tools {

/// Returns the value of the key `own`: `{"judged": 5, "known": 3, "unjudged": {"mylib.foo.default": 2}}`. If there are
/// unjudged calls, `why` has the reasons by operator.
nlohmann::ordered_json own_json(const OwnCalls& own);
/// Reads the key `own` of a report. Members that are missing or of another type are left out.
OwnCalls own_of(const nlohmann::ordered_json& report);

/// Gives a report without findings that is not clean the status `unjudged`, and the reason `why` under `not_clean`.
/// Does nothing if `why` is empty, or if the status is not `findings`.
void mark_not_clean(nlohmann::ordered_json& report, const std::string& why);

}  // namespace ersatz::tools
