// Records the graphs that a higher-order call runs as nested graphs of the traced program.
//
// Each graph is traced with a tracer of its own, in the fake mode of the outer trace, on the values that the operator
// passes. It adds no nodes to the outer trace. A graph that runs several times is traced once. A graph that does not
// run, for example a branch of a cond whose predicate is known, is traced on fakes of its recorded inputs.
#pragma once

#include "tracer/run/nested_graph.h"
#include "tracer/trace/trace.h"

namespace ersatz {

class Subgraphs final : public NestedGraphRunner {
 public:
  /// If `before_dispatch` is set, calls are recorded before autocast changes them, because the graphs will run under
  /// the current settings. REQUIRES: program and options outlive the object.
  Subgraphs(Program& program, const TraceOptions& options, bool before_dispatch)
      : program_(program), options_(options) {
    options_.pre_dispatch |= before_dispatch;
  }

  std::vector<Value> run(const PreparedProgram& graph, std::span<const Value> inputs) override;
  /// Returns the number that a graph argument of `program` has in the traced program.
  uint32_t number_of(const Program& program, const Arg& graph);

 private:
  std::vector<Value> trace_graph(const PreparedProgram& graph, std::span<const Value> inputs,
                                 const TraceOptions& options);

  Program& program_;
  TraceOptions options_;
  std::unordered_map<const Graph*, uint32_t> traced_;
};

}  // namespace ersatz
