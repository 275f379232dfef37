// The report of a value diff.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/diff/value_diff.h"
#include "tools/output/document.h"

namespace ersatz::tools {

/// The report: where the error begins, the outputs that differ, the closing line. `whole`: lines are not shortened. The
/// result's JSON is `envelope` with the data added.
Document value_diff_report(const ValueDiff& diff, bool whole, nlohmann::ordered_json envelope);

}  // namespace ersatz::tools
