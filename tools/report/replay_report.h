// What replaying recorded calls gave, as text, JSON and CSV.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/calls/replay_files.h"
#include "tools/output/document.h"
#include "tools/output/text_room.h"

namespace ersatz::tools {

/// Causes with their counts and first finding, what was skipped, what is missing, the comparison with the other
/// system's own fakes; without the closing line.
Document calls_text(const CallsSummary& summary, TextRoom& room);
/// The keys of a report on call records, added to an envelope: `records`, `causes`, `missing_records`, ...
void add_calls_json(const CallsSummary& summary, nlohmann::ordered_json& to);
/// One row an overload: `op,records,passed,failed,waived,missing,skipped,values`, the last one of those that passed and
/// had values compared.
std::string records_csv(const CallsSummary& summary);

}  // namespace ersatz::tools
