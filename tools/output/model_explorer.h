// Findings as node data of Google's Model Explorer, which draws the graph of a .pt2 archive: the format of the Python
// package ai-edge-model-explorer, node_data_builder.ModelNodeData.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ersatz::tools {

/// A value and a colour for each node of the program that has findings, or that inherits one. Findings without a node
/// are not in it.
std::string model_explorer_text(const nlohmann::ordered_json& report);

}  // namespace ersatz::tools
