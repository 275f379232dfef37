// Makes the parts of a crosscheck's report: lines, and keys of the JSON data.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tools/output/document.h"
#include "tools/output/output_budget.h"
#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

/// Returns notes, findings with repros, wrong records and counts by source of evidence, without the closing line. The
/// data are the program's row of the key `programs`.
Document program_report(const CrosscheckSummary& summary, OutputBudget& budget);
/// Returns the line `first divergence: OP FIELD at NODE; 7 findings of 2 causes, inherited by 3 later results`; no line
/// if there are no findings. The keys `first`, `groups` and `inherited` have the findings by cause and origin.
Document first_divergence(const Report& report, std::span<const DownstreamDifference> inherited);
/// Returns, for each finding, true if it is about a result that differs because of an earlier finding.
std::vector<bool> inherited_findings(size_t findings, std::span<const DownstreamDifference> inherited);
/// A name and a count.
using CountOf = std::pair<std::string_view, int64_t>;
/// Adds a line with the counts that are not 0, if there are any: `  values: compared 52, random 3`.
void add_counts(std::string_view name, std::span<const CountOf> counts, Document& to);
/// Adds a line with the cosmetic differences of a report, which are no findings.
void add_cosmetic(const Report& report, Document& to);
/// Adds the closing line, and the keys of a report's counts, lists and findings. If the report has no finding and is
/// not clean, the status in the data becomes `unjudged`.
void add_tally(const Report& report, Document& to);
/// Adds the lines and keys that add_tally above adds. `why`: why the report is not clean; empty if it is clean.
void add_tally(const Report& report, const std::string& why, Document& to);
/// Returns the findings and a line of counts for the parts of composite nodes. The data are the keys that add_tally
/// adds.
Document parts_report(const Report& parts, OutputBudget& budget);
/// Returns the number of predictions by source. Every source is listed, even with 0.
nlohmann::ordered_json sources_json(const Coverage& coverage);
/// Returns for each operator the number of predictions by source, and the reasons for checks that were not made.
nlohmann::ordered_json coverage_json(const Coverage& coverage);

}  // namespace ersatz::tools
