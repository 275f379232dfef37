// The text and JSON report of a ValueDiff.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/diff/value_diff.h"
#include "tools/output/document.h"

namespace ersatz::tools {

/// The report: the place where the error begins, the outputs that differ, and a closing line. `whole`: lines are not
/// shortened. The report's JSON is `envelope` with the diff's data added.
Document value_diff_report(const ValueDiff& diff, bool whole, nlohmann::ordered_json envelope);

}  // namespace ersatz::tools
