// Text, JSON and CSV of recorded calls that were asked again with symbols for sizes.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/calls/replay_files.h"

namespace ersatz::tools {

std::string symbolic_text(const CallsSummary& summary);
/// Adds `backed` and `unbacked`: each has the sums, and under `ops` the sums by overload.
void add_symbolic_json(const CallsSummary& summary, nlohmann::ordered_json& symbolic);

/// CSV with one row for each overload and kind of symbol.
std::string symbolic_csv(const CallsSummary& summary);

}  // namespace ersatz::tools
