// A crosscheck's summary as text and as JSON.
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

/// Notes, findings with their repros, wrong records and the witness split; without the closing line.
Document crosscheck_text(const CrosscheckSummary& summary, TextRoom& room);
/// `first divergence: OP FIELD at NODE; 7 findings of 2 causes, inherited by 3 later results`; empty without findings.
std::string first_line(const Report& report, std::span<const Inherited> inherited);
/// Per finding: was it made about a result that inherits a finding upstream?
std::vector<bool> inherited_findings(size_t findings, std::span<const Inherited> inherited);
/// A name and a count.
using CountOf = std::pair<std::string_view, int64_t>;
/// `  values: compared 52, random 3`: the counts that are not 0; no line where all are.
void add_counts(std::string_view name, std::span<const CountOf> counts, Document& to);
/// The differences of a report that are no findings, as add_counts prints them.
void add_cosmetic(const Report& report, Document& to);
/// The parts of composite nodes: findings and one line of counts.
Document parts_text(const Report& parts, TextRoom& room);
/// `first`, `groups` and `inherited`: the findings of a report by cause and origin.
void add_groups_json(const Report& report, std::span<const Inherited> inherited, nlohmann::ordered_json& to);
/// The keys of the JSON report of `ersatz crosscheck`, added to an envelope.
void add_crosscheck_json(const Report& report, nlohmann::ordered_json& to);
/// How often each source answered: all names of the list.
nlohmann::ordered_json sources_json(const Coverage& coverage);
/// Per op: sources that answered, checks that were not made by reason.
nlohmann::ordered_json coverage_json(const Coverage& coverage);

}  // namespace ersatz::tools
