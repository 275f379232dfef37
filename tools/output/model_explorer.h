// Findings as node data for Google's Model Explorer, which draws the graph of a .pt2 archive. The format is the one of
// node_data_builder.ModelNodeData in the Python package ai-edge-model-explorer.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ersatz::tools {

/// Returns node data with a value and a colour for each node that has a finding or a difference that follows from a
/// finding. Findings without a node are left out.
std::string model_explorer_text(const nlohmann::ordered_json& report);

}  // namespace ersatz::tools
