// What replaying recorded calls gave, as a part of a report and as CSV.
#pragma once

#include <string>

#include "tools/calls/replay_files.h"
#include "tools/output/document.h"
#include "tools/output/text_room.h"

namespace ersatz::tools {

/// Causes with their counts and first finding, what was skipped, what is missing, the comparison with the other
/// system's own fakes; without the closing line. The data are what the key `calls` of a report has: `records`,
/// `causes`, `ops`, ...
Document calls_report(const CallsSummary& summary, TextRoom& room);
/// One row an overload: `op,records,passed,failed,waived,missing,skipped,values`, the last one of those that passed and
/// had values compared.
std::string records_csv(const CallsSummary& summary);

}  // namespace ersatz::tools
