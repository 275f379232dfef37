// The parts of a crosscheck's report: lines, and the keys of its data.
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

/// Notes, findings with their repros, wrong records and the witness split; without the closing line. The data are the
/// program's row of the key `programs`.
Document program_report(const CrosscheckSummary& summary, TextRoom& room);
/// `first divergence: OP FIELD at NODE; 7 findings of 2 causes, inherited by 3 later results`; no line without
/// findings. Keys `first`, `groups` and `inherited`: the findings by cause and origin.
Document first_divergence(const Report& report, std::span<const Inherited> inherited);
/// Per finding: was it made about a result that inherits a finding upstream?
std::vector<bool> inherited_findings(size_t findings, std::span<const Inherited> inherited);
/// A name and a count.
using CountOf = std::pair<std::string_view, int64_t>;
/// `  values: compared 52, random 3`: the counts that are not 0; no line where all are.
void add_counts(std::string_view name, std::span<const CountOf> counts, Document& to);
/// The differences of a report that are no findings, as add_counts prints them.
void add_cosmetic(const Report& report, Document& to);
/// The closing line, and the keys of the counts, lists and findings of a report. A status that is in the data becomes
/// `unjudged` where that is why the report is not clean.
void add_tally(const Report& report, Document& to);
/// The parts of composite nodes: findings and one line of counts. The data are those of add_tally.
Document parts_report(const Report& parts, TextRoom& room);
/// How often each source answered: all names of the list.
nlohmann::ordered_json sources_json(const Coverage& coverage);
/// Per op: sources that answered, checks that were not made by reason.
nlohmann::ordered_json coverage_json(const Coverage& coverage);

}  // namespace ersatz::tools
