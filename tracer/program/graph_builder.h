// Making a graph from a source that names its values: files and text.
//
// Nodes are added with arguments that still hold names (`named_value`); `resolve` then walks inputs, nodes and outputs
// in order, replaces the names and checks that each value is defined once, before its uses (G1-G3). The source may
// give inputs, nodes and outputs in any order.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tracer/program/program.h"

namespace ersatz {

class GraphBuilder {
 public:
  /// REQUIRES: both outlive the builder.
  GraphBuilder(Program& program, Graph& graph);
  ~GraphBuilder();

  Program& program();
  Graph& graph();

  /// A reference to the value of that name, until `resolve`.
  Arg named_value(std::string_view name);
  /// A new value, to stand among the results of the node or input being made.
  Arg define(std::string_view name, ValueKind kind, uint32_t record = kNone);
  /// A value's recorded alias, by name, until `resolve`.
  void set_alias(ValueId value, std::string_view name);
  void add_node(Node node);

  /// `refuse(what, index, message)` must throw, naming the place: what is 'i', 'n' or 'o' (input, node, output).
  using Refuse = std::function<void(char what, size_t index, const std::string& message)>;
  void resolve(const Refuse& refuse);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
