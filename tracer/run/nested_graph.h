// Prepares a graph that is an argument of a node, so that the node's operator can run it.
#pragma once

#include "tracer/run/higher_order.h"

namespace ersatz {

/// RAISES InvalidArgument: the node of `op` is not valid, because of `what`.
[[noreturn]] void refuse_node(const OpEntry& op, std::string_view what);

/// Runs nested graphs instead of the Interpreter. It is used while a NestedGraphScope with it exists on the thread.
class NestedGraphRunner {
 public:
  virtual ~NestedGraphRunner() = default;
  virtual std::vector<Value> run(const PreparedProgram& graph, std::span<const Value> inputs) = 0;
};
class NestedGraphScope {
 public:
  /// If `runner` is null, the Interpreter runs nested graphs.
  explicit NestedGraphScope(NestedGraphRunner* runner);
  ~NestedGraphScope();
  NestedGraphScope(const NestedGraphScope&) = delete;
  NestedGraphScope& operator=(const NestedGraphScope&) = delete;

 private:
  NestedGraphRunner* outer_;
};

class NestedGraph {
 public:
  /// Prepares the graph, and adds the unregistered operators in it to `of.missing`. RAISES InvalidArgument if the graph
  /// does not have `inputs` inputs and `outputs` outputs. REQUIRES: `graph` is a graph of `program`.
  NestedGraph(HigherOrderOp& of, const Program& program, const Arg& graph, size_t inputs, size_t outputs,
              const PrepareOptions& options);

  std::vector<Value> run(std::span<const Value> inputs) const;

 private:
  std::unique_ptr<PreparedProgram> body_;
};

}  // namespace ersatz
