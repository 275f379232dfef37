// What `ersatz propagate` says: findings first, then the runs, the points at which data decides, and what held.
#pragma once

#include "tools/output/document.h"
#include "tools/propagate/propagate_summary.h"

namespace ersatz::tools {

/// The data are the envelope with `nodes`, `runs`, `points`, `seen`, `findings` and `remarks`.
Document propagate_report(const ProgramInput& program, const PropagateSummary& summary,
                          nlohmann::ordered_json envelope);

}  // namespace ersatz::tools
