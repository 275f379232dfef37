// Text, JSON and CSV of recorded calls that were asked again with symbols for sizes.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/calls/replay_files.h"
#include "tools/output/document.h"

namespace ersatz::tools {

/// Adds a line for backed and a line for unbacked symbols. Adds the keys `backed` and `unbacked` to `data`: each has
/// the sums, and under `ops` the sums by overload.
void add_symbolic(const CallsSummary& summary, Document& to, nlohmann::ordered_json& data);

/// CSV with one row for each overload and kind of symbol.
std::string symbolic_csv(const CallsSummary& summary);

}  // namespace ersatz::tools
