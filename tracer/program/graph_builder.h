// Builds a graph from a source that refers to values by name: files and text.
//
// Nodes are added with arguments that are names (`named_value`). `resolve` then replaces the names in inputs, nodes and
// outputs, in this order, and checks that each value is defined once and before its uses (G1-G3). The source may give
// inputs, nodes and outputs in any order.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tracer/program/program.h"

namespace ersatz {

class GraphBuilder {
 public:
  /// REQUIRES: `program` and `graph` outlive the builder.
  GraphBuilder(Program& program, Graph& graph);
  ~GraphBuilder();

  Program& program();
  Graph& graph();

  /// Returns a reference by name, which `resolve` replaces.
  Arg named_value(std::string_view name);
  /// Adds a value. The caller puts it into the results of the node, or into the input, that it is building.
  Arg define(std::string_view name, ValueKind kind, uint32_t record = kNone);
  /// Records by name which value `value` aliases. `resolve` replaces the name.
  void set_alias(ValueId value, std::string_view name);
  void add_node(Node node);

  /// Called as refuse(what, index, message) and must throw. `what` is 'i', 'n' or 'o' for an input, node or output.
  using Refuse = std::function<void(char what, size_t index, const std::string& message)>;
  void resolve(const Refuse& refuse);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
