// Text, JSON and CSV about recorded calls that were run again with symbolic sizes.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/calls/replay_files.h"
#include "tools/output/document.h"

namespace ersatz::tools {

/// Adds one line for backed and one for unbacked symbols. Adds the keys `backed` and `unbacked` to `data`. Each has the
/// sums over all calls and, under `ops`, the sums by operator overload.
void add_symbolic(const CallsSummary& summary, Document& to, nlohmann::ordered_json& data);

/// A CSV table with one row for each overload and SymbolKind.
std::string symbolic_csv(const CallsSummary& summary);

}  // namespace ersatz::tools
