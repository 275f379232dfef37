// Pairs the inputs and nodes of two programs, and returns names for them.
#pragma once

#include <string>
#include <vector>

#include "tools/diff/alignment.h"
#include "tracer/program/program.h"

namespace ersatz::tools {

/// Returns a key for each input of the main graph: a weight's qualified name, or the number of a user input. Inputs
/// with equal keys are paired.
std::vector<std::string> input_keys(const Program& p);
/// Returns keys for the inputs of graph number `graph`. For a nested graph, the keys are the numbers of its inputs.
std::vector<std::string> input_keys(const Program& p, size_t graph);
/// Returns pairs of nodes of graph number `graph` in both programs, in order. Nodes that are computed from the inputs
/// in the same way are paired first. Nodes with equal operator, literals and recorded metadata follow, then nodes with
/// equal operators. The rest is paired by index.
std::vector<AlignedPair> node_pairs(const Program& a, const Program& b, size_t graph = 0);

std::string op_name(const Program& p, const Node& n);
/// Returns the name that the exporter gave the node or, if it has none, its operator.
std::string node_label(const Program& p, const Node& n);
/// Returns `%name` for a value of the main graph, and `None` for kNone.
std::string value_name(const Program& p, ValueId id);
std::string value_name(const Program& p, const Graph& graph, ValueId id);

}  // namespace ersatz::tools
