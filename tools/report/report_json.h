// Parses the counts and lists of a report from the JSON that add_tally wrote.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "fake/crosscheck/report.h"

namespace ersatz::tools {

/// `whole`: all keys of add_tally are required. Otherwise only counts, skipped results and findings are, and
/// other missing keys keep their defaults; `validate` writes fewer keys. RAISES InvalidArgument for unknown words, and
/// nlohmann's exception for a missing or mistyped key.
Report report_from_json(const nlohmann::ordered_json& json, bool whole = true);

}  // namespace ersatz::tools
