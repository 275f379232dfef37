// The parts of a crosscheck's report: lines, and keys of JSON data.
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

/// Notes, findings with repros, wrong records and counts by witness, without the closing line. The data are the
/// program's row of the key `programs`.
Document program_report(const CrosscheckSummary& summary, OutputBudget& budget);
/// `first divergence: OP FIELD at NODE; 7 findings of 2 causes, inherited by 3 later results`; no line without
/// findings. Keys `first`, `groups` and `inherited`: the findings by cause and origin.
Document first_divergence(const Report& report, std::span<const DownstreamDifference> inherited);
/// For each finding: true if it is about a result that differs because of an earlier finding.
std::vector<bool> inherited_findings(size_t findings, std::span<const DownstreamDifference> inherited);
/// A name and a count.
using CountOf = std::pair<std::string_view, int64_t>;
/// Adds a line with the counts that are not 0, if any: `  values: compared 52, random 3`.
void add_counts(std::string_view name, std::span<const CountOf> counts, Document& to);
/// Adds the cosmetic differences of a report, which are no findings, like add_counts.
void add_cosmetic(const Report& report, Document& to);
/// Adds the closing line, and the keys of the counts, lists and findings of a report. A status in the data becomes
/// `unjudged` if the report has no finding and is not clean.
void add_tally(const Report& report, Document& to);
/// add_tally with `why`, the reason why the report is not clean, in place of `report.unjudged()`. Empty: it is clean.
void add_tally(const Report& report, const std::string& why, Document& to);
/// Findings and a line of counts for the parts of composite nodes. The data are those of add_tally.
Document parts_report(const Report& parts, OutputBudget& budget);
/// Number of answers from each source; every source is listed.
nlohmann::ordered_json sources_json(const Coverage& coverage);
/// For each op: answers by source, and reasons for checks that were not made.
nlohmann::ordered_json coverage_json(const Coverage& coverage);

}  // namespace ersatz::tools
