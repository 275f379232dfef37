// For people and as JSON: recorded calls asked again with symbols for sizes.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/calls/replay_files.h"

namespace ersatz::tools {

std::string symbolic_text(const CallsSummary& summary);
/// `backed` and `unbacked`, each the sums, then `ops`: the same by overload.
void add_symbolic_json(const CallsSummary& summary, nlohmann::ordered_json& symbolic);

/// A row for each overload and kind of symbol.
std::string symbolic_csv(const CallsSummary& summary);

}  // namespace ersatz::tools
