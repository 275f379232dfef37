// The report on replayed calls: a part of a Document, and CSV.
#pragma once

#include <string>

#include "tools/calls/replay_files.h"
#include "tools/output/document.h"
#include "tools/output/output_budget.h"

namespace ersatz::tools {

/// Returns causes with counts and first findings, skipped and missing calls, and the comparison with PyTorch's fake
/// kernels, without a closing line. The data are the value of the key `calls`: `records`, `causes`, `ops`, ...
Document calls_report(const CallsSummary& summary, OutputBudget& budget);
/// Returns CSV with a row for each overload: `op,records,passed,failed,waived,missing,skipped,values`. `values` counts
/// the passed records in which values were compared.
std::string records_csv(const CallsSummary& summary);

}  // namespace ersatz::tools
