// Records the graphs that a higher-order call runs as graphs of the traced program.
//
// Each graph is traced with a tracer of its own, in the fake mode of the outer trace, on the values that the operator
// passes. The outer trace gets no nodes from it. A graph that runs again is traced once. A graph that does not run, for
// example a branch of a cond with a known predicate, is traced on fakes of its recorded inputs.
#pragma once

#include "tracer/run/nested_graph.h"
#include "tracer/trace/trace.h"

namespace ersatz {

class Subgraphs final : public NestedGraphRunner {
 public:
  /// With `before_dispatch`, calls are recorded as they are made, before autocast, because the graphs will run under
  /// the current settings. REQUIRES: program and options outlive the object.
  Subgraphs(Program& program, const TraceOptions& options, bool before_dispatch)
      : program_(program), options_(options) {
    options_.pre_dispatch |= before_dispatch;
  }

  std::vector<Value> run(const PreparedProgram& graph, std::span<const Value> inputs) override;
  /// Returns the traced program's index of the graph that an argument of `program` names.
  uint32_t number_of(const Program& program, const Arg& graph);

 private:
  std::vector<Value> trace_graph(const PreparedProgram& graph, std::span<const Value> inputs,
                                 const TraceOptions& options);

  Program& program_;
  TraceOptions options_;
  std::unordered_map<const Graph*, uint32_t> traced_;
};

}  // namespace ersatz
