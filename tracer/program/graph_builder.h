// Builds a graph from a file or text that refers to values by name.
//
// Nodes are added with arguments that are names (`named_value`). `resolve` then replaces the names in inputs, nodes and
// outputs, in this order. It checks that each value is defined once and before its uses (G1-G3). Inputs, nodes and
// outputs may be added in any order.
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

  /// Returns an argument that refers to a value by name. `resolve` replaces the name.
  Arg named_value(std::string_view name);
  /// Adds a value. The caller puts the returned Arg into the results of its node, or into its input.
  Arg define(std::string_view name, ValueKind kind, uint32_t record = kNone);
  /// Records that `value` aliases the value with this name. `resolve` replaces the name.
  void set_alias(ValueId value, std::string_view name);
  void add_node(Node node);

  /// Reports an error: called as refuse(what, index, message), it must throw. `what` is 'i', 'n' or 'o' for an input,
  /// node or output.
  using Refuse = std::function<void(char what, size_t index, const std::string& message)>;
  void resolve(const Refuse& refuse);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
