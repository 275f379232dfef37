// Parses the counts and lists of a report from the JSON keys that add_tally wrote.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "fake/crosscheck/report.h"

namespace ersatz::tools {

/// Parses a report. If `whole`, all keys of add_tally are required. Else only counts, skipped results and findings are
/// required, and other missing keys keep their defaults, because `validate` writes fewer keys. RAISES InvalidArgument
/// for unknown words, and nlohmann's exception for a key that is missing or of a wrong type.
Report report_from_json(const nlohmann::ordered_json& json, bool whole = true);

}  // namespace ersatz::tools
