// A graph that a node has for an argument, ready to be run by the operator that the node is.
#pragma once

#include "tracer/run/higher_order.h"

namespace ersatz {

/// [InvalidArgument] `op` cannot be as its node has it.
[[noreturn]] void refuse_node(const OpEntry& op, std::string_view what);

/// Runs nested graphs in place of their operators while a NestedGraphScope of it lives on the thread.
class NestedGraphRunner {
 public:
  virtual ~NestedGraphRunner() = default;
  virtual std::vector<Value> run(const PreparedProgram& graph, std::span<const Value> inputs) = 0;
};
class NestedGraphScope {
 public:
  /// Null: graphs run as they are.
  explicit NestedGraphScope(NestedGraphRunner* runner);
  ~NestedGraphScope();
  NestedGraphScope(const NestedGraphScope&) = delete;
  NestedGraphScope& operator=(const NestedGraphScope&) = delete;

 private:
  NestedGraphRunner* outer_;
};

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
