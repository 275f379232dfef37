// The tally and the lists of a report, read again from the JSON that add_tally wrote.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "fake/crosscheck/report.h"

namespace ersatz::tools {

/// `whole`: every key that add_tally writes has to be there. Otherwise counts, skipped results and findings
/// have to, and another key that is missing leaves its member as a new report has it: `validate` writes fewer.
/// Raises InvalidArgument for words that there are not, nlohmann's exception for what is missing or of another kind.
Report report_from_json(const nlohmann::ordered_json& json, bool whole = true);

}  // namespace ersatz::tools
