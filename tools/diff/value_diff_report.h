// A value diff as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/diff/value_diff.h"
#include "tools/output/document.h"

namespace ersatz::tools {

/// Where the error begins, then the outputs that differ; the closing line. `whole`: nothing is left out.
Document value_diff_text(const ValueDiff& diff, bool whole);
void value_diff_json(const ValueDiff& diff, nlohmann::ordered_json& report);

}  // namespace ersatz::tools
