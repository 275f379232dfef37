// What `ersatz propagate` says: findings first, then the runs, the points at which data decides, and what held.
#pragma once

#include "tools/output/document.h"
#include "tools/propagate/propagate_summary.h"

namespace ersatz::tools {

/// `head`: what was run, a heading and lines below it. The data are the envelope with `nodes`, `runs`, `points`,
/// `seen`, `findings` and `remarks`.
Document propagate_report(Document head, const PropagateSummary& summary, nlohmann::ordered_json envelope);
/// The head of a report on a program.
Document head_of(const ProgramInput& program);
/// A finding as the report prints it. `runs`: of the report.
Document finding_text(const SummedFinding& finding, size_t runs);

}  // namespace ersatz::tools
