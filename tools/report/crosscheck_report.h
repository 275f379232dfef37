// The text and JSON of a crosscheck's summary.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tools/output/document.h"
#include "tools/output/text_room.h"
#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

/// Text with notes, findings with repros, wrong records and counts by witness, but without the closing line.
Document crosscheck_text(const CrosscheckSummary& summary, TextRoom& room);
/// `first divergence: OP FIELD at NODE; 7 findings of 2 causes, inherited by 3 later results`; empty without findings.
std::string first_line(const Report& report, std::span<const Inherited> inherited);
/// For each finding: true if it is about a result that differs because of an earlier finding.
std::vector<bool> inherited_findings(size_t findings, std::span<const Inherited> inherited);
/// A name and a count.
using CountOf = std::pair<std::string_view, int64_t>;
/// Adds a line with the counts that are not 0, if any: `  values: compared 52, random 3`.
void add_counts(std::string_view name, std::span<const CountOf> counts, Document& to);
/// Adds the cosmetic differences of a report, which are no findings, like add_counts.
void add_cosmetic(const Report& report, Document& to);
/// Text for the parts of composite nodes: findings and a line of counts.
Document parts_text(const Report& parts, TextRoom& room);
/// Adds `first`, `groups` and `inherited`: the report's findings by cause and origin.
void add_groups_json(const Report& report, std::span<const Inherited> inherited, nlohmann::ordered_json& to);
/// Adds the keys of the JSON report of `ersatz crosscheck` to an envelope.
void add_crosscheck_json(const Report& report, nlohmann::ordered_json& to);
/// Number of answers from each source; every source is listed.
nlohmann::ordered_json sources_json(const Coverage& coverage);
/// For each op: answers by source, and reasons for checks that were not made.
nlohmann::ordered_json coverage_json(const Coverage& coverage);

}  // namespace ersatz::tools
