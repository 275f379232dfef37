// The report of `ersatz propagate`: findings, runs, points at which data decides a size or number, and relations that
// held in every run.
#pragma once

#include "tools/output/document.h"
#include "tools/propagate/propagate_summary.h"

namespace ersatz::tools {

/// Returns the report. `head` is a heading that names the input, with lines below it. The JSON is `envelope` with
/// `nodes`, `runs`, `points`, `seen`, `findings` and `remarks` added.
Document propagate_report(Document head, const PropagateSummary& summary, nlohmann::ordered_json envelope);
/// Returns the heading of a report on a program.
Document head_of(const ProgramInput& program);
/// Returns the lines of a finding. `runs` is the number of runs in the report.
Document finding_text(const SummedFinding& finding, size_t runs);

}  // namespace ersatz::tools
