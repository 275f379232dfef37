// For people and as JSON: recorded calls asked again with symbols for sizes.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/calls/replay_files.h"
#include "tools/output/document.h"

namespace ersatz::tools {

/// A line for backed and for unbacked symbols. `data`: `backed` and `unbacked`, each the sums, then `ops`: the same by
/// overload.
void add_symbolic(const CallsSummary& summary, Document& to, nlohmann::ordered_json& data);

/// A row for each overload and kind of symbol.
std::string symbolic_csv(const CallsSummary& summary);

}  // namespace ersatz::tools
