// A graph that a node has for an argument, ready to be run by the operator that the node is.
#pragma once

#include "tracer/run/higher_order.h"

namespace ersatz {

/// [InvalidArgument] `op` cannot be as its node has it.
[[noreturn]] void refuse_node(const OpEntry& op, std::string_view what);

class NestedGraph {
 public:
  /// Prepares the graph and adds what it lacks to `of.missing`. Raises InvalidArgument where it does not take and
  /// return so many values. REQUIRES: `graph` is a graph of `program`.
  NestedGraph(HigherOrderOp& of, const Program& program, const Arg& graph, size_t inputs, size_t outputs,
              const PrepareOptions& options);

  std::vector<Value> run(std::span<const Value> inputs) const;

 private:
  std::unique_ptr<PreparedProgram> body_;
};

}  // namespace ersatz
