// A graph that is an argument of a node, prepared to be run by the node's operator.
#pragma once

#include "tracer/run/higher_order.h"

namespace ersatz {

/// Raises InvalidArgument: the node of `op` is not valid.
[[noreturn]] void refuse_node(const OpEntry& op, std::string_view what);

/// Runs nested graphs in place of the Interpreter while its NestedGraphScope is on the thread.
class NestedGraphRunner {
 public:
  virtual ~NestedGraphRunner() = default;
  virtual std::vector<Value> run(const PreparedProgram& graph, std::span<const Value> inputs) = 0;
};
class NestedGraphScope {
 public:
  /// With a null `runner`, the Interpreter runs nested graphs.
  explicit NestedGraphScope(NestedGraphRunner* runner);
  ~NestedGraphScope();
  NestedGraphScope(const NestedGraphScope&) = delete;
  NestedGraphScope& operator=(const NestedGraphScope&) = delete;

 private:
  NestedGraphRunner* outer_;
};

class NestedGraph {
 public:
  /// Prepares the graph, and adds its unregistered operators to `of.missing`. Raises InvalidArgument if the graph does
  /// not have these numbers of inputs and outputs. REQUIRES: `graph` is a graph of `program`.
  NestedGraph(HigherOrderOp& of, const Program& program, const Arg& graph, size_t inputs, size_t outputs,
              const PrepareOptions& options);

  std::vector<Value> run(std::span<const Value> inputs) const;

 private:
  std::unique_ptr<PreparedProgram> body_;
};

}  // namespace ersatz
