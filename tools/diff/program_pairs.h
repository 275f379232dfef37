// Pairs the inputs and nodes of two programs, and gives their names.
#pragma once

#include <string>
#include <vector>

#include "tools/diff/alignment.h"
#include "tracer/program/program.h"

namespace ersatz::tools {

/// A key for each input of the main graph: a weight's qualified name, or the number of a user input. Inputs with equal
/// keys are paired.
std::vector<std::string> input_keys(const Program& p);
/// Keys for the inputs of that graph. Inputs of a nested graph are numbered.
std::vector<std::string> input_keys(const Program& p, size_t graph);
/// Pairs of nodes of both programs' graphs with that number, in order. Nodes with the same computation back to the
/// inputs are paired first. Then nodes with equal operator, literals and recorded metadata, then with equal operator,
/// then by index.
std::vector<AlignedPair> node_pairs(const Program& a, const Program& b, size_t graph = 0);

std::string op_name(const Program& p, const Node& n);
/// The exporter's name of the node, else its operator.
std::string node_label(const Program& p, const Node& n);
/// `%name` of a value of the main graph, `None` for kNone.
std::string value_name(const Program& p, ValueId id);
std::string value_name(const Program& p, const Graph& graph, ValueId id);

}  // namespace ersatz::tools
