#include "tools/diff/program_pairs.h"

#include <fmt/format.h>

#include <unordered_map>

#include "runtime/op/value.h"
#include "runtime/tensor/meta_text.h"
#include "tools/diff/placed_arguments.h"

namespace ersatz::tools {
namespace {

/// Returns a text that describes a node without the names of values: its literals, and the recorded metadata of its
/// results.
std::string content(const Program& p, const Graph& graph, const Node& n) {
  std::string text;
  for (const auto& [place, argument] : placed_arguments(p, n)) {
    const Arg& a = *argument.arg;
    text += to_string(place) + " ";
    if (argument.literal) {
      text += to_string(*argument.literal);
    } else {
      text += a.kind == Arg::Kind::Literal ? to_string(p.literal(a)) : std::to_string(static_cast<int>(a.kind));
    }
    text += ", ";
  }
  for (const ValueId id : result_values(p, n)) {
    if (id == kNone) continue;
    const TensorMeta* meta = p.meta(graph.values[id]);
    text += meta ? to_string(*meta) + "; " : "; ";
  }
  return text;
}

/// Gives each value a number for the way in which it is computed from the inputs. Values of both programs have equal
/// numbers if they are computed in the same way.
class PairOrigins {
 public:
  std::vector<AlignmentKey> node_keys(const Program& p, size_t number_of_graph) {
    const Graph& graph = *p.graphs[number_of_graph];
    of_value_.clear();
    const std::vector<std::string> inputs = input_keys(p, number_of_graph);
    for (size_t i = 0; i < inputs.size(); ++i) of_value_[graph.inputs[i].value] = number(inputs[i]);
    std::vector<AlignmentKey> keys;
    for (const Node& n : graph.nodes) {
      std::string origin = op_name(p, n);
      for (const auto& [place, argument] : placed_arguments(p, n)) {
        origin += " " + to_string(place) + ":";
        add(p, argument, origin);
      }
      const std::vector<ValueId> results = result_values(p, n);
      for (size_t k = 0; k < results.size(); ++k) {
        if (results[k] != kNone) of_value_[results[k]] = number(fmt::format("{} of {}", k, origin));
      }
      keys.push_back({op_name(p, n), content(p, graph, n), std::to_string(number(origin))});
    }
    return keys;
  }

 private:
  size_t number(const std::string& origin) { return numbers_.try_emplace(origin, numbers_.size()).first->second; }

  void add(const Program& p, const PlacedArgument& a, std::string& origin) {
    if (a.literal) {
      origin += to_string(*a.literal);
    } else {
      add(p, *a.arg, origin);
    }
  }
  void add(const Program& p, const Arg& a, std::string& origin) {
    if (a.kind == Arg::Kind::Value) {
      origin += fmt::format("%{}", of_value_[a.index]);
    } else if (a.kind == Arg::Kind::Literal) {
      origin += to_string(p.literal(a));
    } else if (a.kind == Arg::Kind::List || a.kind == Arg::Kind::Dict) {
      for (const Arg& item : p.list(a)) {
        add(p, item, origin);
        origin += ",";
      }
    }
  }

  std::unordered_map<std::string, size_t> numbers_;
  std::unordered_map<ValueId, size_t> of_value_;  // numbers of the values of the program that node_keys reads now
};

}  // namespace

std::vector<std::string> input_keys(const Program& p) {
  std::vector<std::string> keys;
  int user = 0;
  for (const GraphInput& in : p.main().inputs) {
    keys.push_back(in.target ? fmt::format("{} {}", name(in.kind), p.name(in.target))
                             : fmt::format("{} {}", name(in.kind), user++));
  }
  return keys;
}

std::vector<std::string> input_keys(const Program& p, size_t graph) {
  if (graph == 0) return input_keys(p);
  std::vector<std::string> keys;
  for (size_t i = 0; i < p.graphs[graph]->inputs.size(); ++i) keys.push_back(fmt::format("input {}", i));
  return keys;
}

std::vector<AlignedPair> node_pairs(const Program& a, const Program& b, size_t graph) {
  PairOrigins origins;
  const std::vector<AlignmentKey> of_a = origins.node_keys(a, graph);
  return align(of_a, origins.node_keys(b, graph));
}

std::string op_name(const Program& p, const Node& n) { return std::string(p.name(p.op(n).name)); }

std::string node_label(const Program& p, const Node& n) { return std::string(p.name(n.name ? n.name : p.op(n).name)); }

std::string value_name(const Program& p, ValueId id) { return value_name(p, p.main(), id); }

std::string value_name(const Program& p, const Graph& graph, ValueId id) {
  return id == kNone ? "None" : "%" + std::string(p.name(graph.values[id].name));
}

}  // namespace ersatz::tools
