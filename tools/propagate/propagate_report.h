// What `ersatz propagate` says: findings first, then the runs, the points at which data decides, and what held.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/output/document.h"
#include "tools/propagate/propagate_summary.h"

namespace ersatz::tools {

Document propagate_text(const ProgramInput& program, const PropagateSummary& summary);
/// Adds `nodes`, `runs`, `points`, `seen`, `findings` and `remarks` to the envelope.
void propagate_json(const PropagateSummary& summary, nlohmann::ordered_json& report);

}  // namespace ersatz::tools
