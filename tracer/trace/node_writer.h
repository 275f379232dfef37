// Adds nodes to a graph: with names, arguments in schema order, and records of the results.
//
// A node is named after its operator; a second node of the operator gets a number, `add_1`. Its results are recorded at
// that moment: metadata, numbers, bools and expressions over symbols.
#pragma once

#include "tracer/program/number_map.h"
#include "tracer/program/program.h"

namespace ersatz {

class NodeWriter {
 public:
  /// REQUIRES: program and graph outlive the writer, and the graph belongs to the program.
  NodeWriter(Program& program, Graph& graph) : program_(program), graph_(graph) {}

  /// The origin that is stored in the nodes that are added.
  struct Origin {
    uint32_t module = kNone, original = kNone, call = kNone;  ///< as in graph.h's Node
  };
  Origin origin;
  bool capture_stacks = false;  ///< stores the C++ call stack in a node if no SourceLine is set

  Program& program() const { return program_; }
  Graph& graph() const { return graph_; }

  /// Adds the value of a graph input.
  ValueId add_input(std::string_view name, const Value& seen);

  /// Returns a node that has a name and arguments, but no results. `add` adds it to the graph. Arguments are in schema
  /// order; an argument that equals its default is left out if the schema allows that.
  Node open(const OpEntry& op, std::span<const Arg> args);
  /// Returns a node for a function on numbers, or for another operator that has no schema.
  Node open(std::string_view op, std::span<const Arg> args);
  /// Adds the node. Returns the values of its flat results; kNone for a result that is None.
  std::vector<ValueId> add(Node node, std::span<const Value> results);

  /// Returns `wanted` if no value and no node has that name; else `wanted` with a number.
  NameId unique_name(std::string_view wanted);

 private:
  GraphValue seen(NameId name, const Value& v);
  Node open(uint32_t op, std::string_view base, std::vector<Arg> args);

  Program& program_;
  Graph& graph_;
  NumberMap taken_;  ///< name -> the last number that was appended to it
};

}  // namespace ersatz
