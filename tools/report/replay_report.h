// The report of replayed recorded calls: a part of a document, and CSV.
#pragma once

#include <string>

#include "tools/calls/replay_files.h"
#include "tools/output/document.h"
#include "tools/output/output_budget.h"

namespace ersatz::tools {

/// Causes with counts and first findings, skipped and missing calls, and the comparison with PyTorch's fakes, without
/// the closing line. The data are the key `calls` of a report: `records`, `causes`, `ops`, ...
Document calls_report(const CallsSummary& summary, OutputBudget& budget);
/// A row for each overload: `op,records,passed,failed,waived,missing,skipped,values`. `values` counts the passed
/// records with compared values.
std::string records_csv(const CallsSummary& summary);

}  // namespace ersatz::tools
