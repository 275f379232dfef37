// JSON of the calls of custom operators, and the status of a report that is not clean because some of these calls were
// not compared.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "fake/crosscheck/report.h"

namespace ersatz::tools {

/// Returns the value of the key `own`: `{"judged": 5, "known": 3, "unjudged": {"mylib.foo.default": 2}}`. If there are
/// unjudged calls, its key `why` has the reasons by operator.
nlohmann::ordered_json own_json(const OwnCalls& own);
/// Parses the key `own` of a report. Members that are missing or have a wrong type keep their defaults.
OwnCalls own_of(const nlohmann::ordered_json& report);

/// Marks a report without findings that is not clean: sets its status to `unjudged` and `not_clean` to `why`. Does
/// nothing if `why` is empty, or if the status is not `findings`.
void mark_not_clean(nlohmann::ordered_json& report, const std::string& why);

}  // namespace ersatz::tools
