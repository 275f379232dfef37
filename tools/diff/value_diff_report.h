// The report of a value diff.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/diff/value_diff.h"
#include "tools/output/document.h"

namespace ersatz::tools {

/// Where the error begins, then the outputs that differ; the closing line. `whole`: nothing is left out of the lines.
/// The data are added to the envelope.
Document value_diff_report(const ValueDiff& diff, bool whole, nlohmann::ordered_json envelope);

}  // namespace ersatz::tools
