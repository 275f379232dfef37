// Making a graph from a source that names its values: files and text.
//
// Nodes are added with arguments that still hold names (`named_value`); `resolve` then walks inputs, nodes and outputs
// in order, replaces the names and checks that each value is defined once, before its uses (G1-G3). The source may
// give inputs, nodes and outputs in any order.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "tracer/program/program.h"

namespace ersatz {

class GraphBuilder {
 public:
  GraphBuilder(Program& program, Graph& graph) : program_(program), graph_(graph) {}

  Program& program() { return program_; }
  Graph& graph() { return graph_; }

  /// A reference to the value of that name, until `resolve`.
  Arg named_value(std::string_view name);
  /// A new value, to stand among the results of the node or input being made.
  Arg define(std::string_view name, ValueKind kind, uint32_t record = kNone);
  /// A value's recorded alias, by name, until `resolve`.
  void set_alias(ValueId value, std::string_view name);
  void add_node(Node node) { graph_.nodes.push_back(node); }

  /// `refuse(what, index, message)` must throw, naming the place: what is 'i', 'n' or 'o' (input, node, output).
  using Refuse = std::function<void(char what, size_t index, const std::string& message)>;
  void resolve(const Refuse& refuse);

 private:
  void define_value(ValueId id);
  void resolve_arg(Arg& arg);
  ValueId look_up(NameId name);

  Program& program_;
  Graph& graph_;
  std::unordered_map<NameId, ValueId> defined_;
  std::vector<std::pair<ValueId, NameId>> aliases_;
  // Where the walk is.
  const Refuse* refuse_ = nullptr;
  char what_ = 'i';
  size_t index_ = 0;
};

}  // namespace ersatz
