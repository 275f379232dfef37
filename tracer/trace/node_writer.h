// Writes nodes into a graph: names, arguments as the schema orders them, what was seen of the results.
//
// A node is named for its operator, the second one of that name `add_1`. What it returns is recorded by value: metadata
// as they are at that moment, numbers, truth values and expressions over symbols.
#pragma once

#include "tracer/program/number_map.h"
#include "tracer/program/program.h"

namespace ersatz {

class NodeWriter {
 public:
  /// REQUIRES: both outlive the writer; the graph belongs to the program.
  NodeWriter(Program& program, Graph& graph) : program_(program), graph_(graph) {}

  /// Where the nodes that are written come from.
  struct Origin {
    uint32_t module = kNone, original = kNone, call = kNone;  ///< as in Node
  };
  Origin origin;
  bool capture_stacks = false;  ///< where no source line is in force

  Program& program() const { return program_; }
  Graph& graph() const { return graph_; }

  /// A value that an input defines.
  ValueId add_input(std::string_view name, const Value& seen);

  /// A node that has not been added yet: its name is taken, its arguments are there, its results are not. Arguments are
  /// in schema order: what equals the schema's default is left out where the schema can do without it.
  Node open(const OpEntry& op, std::span<const Arg> args);
  /// A call of a function on numbers, or another operator that has no schema.
  Node open(std::string_view op, std::span<const Arg> args);
  /// Adds the node; answers the values of its results, flat, kNone for None.
  std::vector<ValueId> add(Node node, std::span<const Value> results);

  /// A name that no value and no node has; the wanted one where it is free.
  NameId unique_name(std::string_view wanted);

 private:
  GraphValue seen(NameId name, const Value& v);
  Node open(uint32_t op, std::string_view base, std::vector<Arg> args);

  Program& program_;
  Graph& graph_;
  NumberMap taken_;  ///< the last number that was put behind a name
};

}  // namespace ersatz
