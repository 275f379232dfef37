// Writes nodes into a graph: names, arguments in schema order, and records of the results.
//
// A node has its operator's name, a second one `add_1`. Its results are recorded as they are at that moment: metadata,
// numbers, bools and expressions over symbols.
#pragma once

#include "tracer/program/number_map.h"
#include "tracer/program/program.h"

namespace ersatz {

class NodeWriter {
 public:
  /// REQUIRES: program and graph outlive the writer, and the graph belongs to the program.
  NodeWriter(Program& program, Graph& graph) : program_(program), graph_(graph) {}

  /// The origin of the nodes that are written.
  struct Origin {
    uint32_t module = kNone, original = kNone, call = kNone;  ///< as in Node
  };
  Origin origin;
  bool capture_stacks = false;  ///< if no SourceLine is set

  Program& program() const { return program_; }
  Graph& graph() const { return graph_; }

  /// Adds a value that an input defines.
  ValueId add_input(std::string_view name, const Value& seen);

  /// Returns a node with its name and arguments but without results; `add` adds it. Arguments are in schema order.
  /// Arguments equal to their default are left out where the schema allows it.
  Node open(const OpEntry& op, std::span<const Arg> args);
  /// Returns a node for a function on numbers, or for another operator without a schema.
  Node open(std::string_view op, std::span<const Arg> args);
  /// Adds the node. Returns the values of its flat results, kNone for None.
  std::vector<ValueId> add(Node node, std::span<const Value> results);

  /// Returns a name that no value and no node has: `wanted` if it is free.
  NameId unique_name(std::string_view wanted);

 private:
  GraphValue seen(NameId name, const Value& v);
  Node open(uint32_t op, std::string_view base, std::vector<Arg> args);

  Program& program_;
  Graph& graph_;
  NumberMap taken_;  ///< the last number that was appended to a name
};

}  // namespace ersatz
