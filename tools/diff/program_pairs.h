// What of one program stands for what of another, and how both are called.
#pragma once

#include <string>
#include <vector>

#include "tools/diff/alignment.h"
#include "tracer/program/program.h"

namespace ersatz::tools {

/// Of each input of the main graph what it is: a weight's qualified name, the number of one that the user gives. Inputs
/// with equal keys stand for each other.
std::vector<std::string> input_keys(const Program& p);
/// The same of the graph of that number; a nested one's inputs are told apart by their places.
std::vector<std::string> input_keys(const Program& p, size_t graph);
/// Nodes of both programs' graphs of that number in order: by what they are computed of, back to the inputs; then by
/// operator, literals and recorded metadata, then by operator, then by place.
std::vector<AlignedPair> node_pairs(const Program& a, const Program& b, size_t graph = 0);

std::string op_name(const Program& p, const Node& n);
/// The exporter's name of the node, else its operator.
std::string node_label(const Program& p, const Node& n);
/// `%name` of a value of the main graph, `None` for kNone.
std::string value_name(const Program& p, ValueId id);
std::string value_name(const Program& p, const Graph& graph, ValueId id);

}  // namespace ersatz::tools
