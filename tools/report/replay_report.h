// The text, JSON and CSV of replayed recorded calls.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/calls/replay_files.h"
#include "tools/output/document.h"
#include "tools/output/text_room.h"

namespace ersatz::tools {

/// Causes with counts and first findings, skipped and missing calls, and the comparison with PyTorch's fakes. Without
/// the closing line.
Document calls_text(const CallsSummary& summary, TextRoom& room);
/// Adds the keys of a report on call records to an envelope: `records`, `causes`, `missing_records`, ...
void add_calls_json(const CallsSummary& summary, nlohmann::ordered_json& to);
/// A row for each overload: `op,records,passed,failed,waived,missing,skipped,values`. `values` counts the passed
/// records with compared values.
std::string records_csv(const CallsSummary& summary);

}  // namespace ersatz::tools
