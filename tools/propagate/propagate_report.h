// The report of `ersatz propagate`: findings, runs, points at which data decides, and relations that held in each run.
#pragma once

#include "tools/output/document.h"
#include "tools/propagate/propagate_summary.h"

namespace ersatz::tools {

/// `head`: a heading that names the input, and lines below it. The JSON is the envelope with `nodes`, `runs`, `points`,
/// `seen`, `findings` and `remarks` added.
Document propagate_report(Document head, const PropagateSummary& summary, nlohmann::ordered_json envelope);
/// The heading of a report on a program.
Document head_of(const ProgramInput& program);
/// A finding as the report prints it. `runs`: number of runs in the report.
Document finding_text(const SummedFinding& finding, size_t runs);

}  // namespace ersatz::tools
