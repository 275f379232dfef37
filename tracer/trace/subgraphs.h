// The graphs that a higher-order call runs, recorded as graphs of the traced program.
//
// Each graph that the call's operator runs is traced with a tracer of its own, in the fake mode of the outer trace, on
// the values that the operator gives it; the outer trace gains no node by it. A graph that is run again is traced once,
// and one that is not run (the other branch of a cond whose predicate is known) on fakes of what it records of its
// inputs.
#pragma once

#include "tracer/run/nested_graph.h"
#include "tracer/trace/trace.h"

namespace ersatz {

class Subgraphs final : public NestedGraphRunner {
 public:
  /// `before_dispatch`: the graphs will run under the settings that are in force, so calls are recorded as they are
  /// made, before autocast. REQUIRES: what the references name outlives the object.
  Subgraphs(Program& program, const TraceOptions& options, bool before_dispatch)
      : program_(program), options_(options) {
    options_.pre_dispatch |= before_dispatch;
  }

  std::vector<Value> run(const PreparedProgram& graph, std::span<const Value> inputs) override;
  /// The traced program's number of the graph that an argument of `program` names.
  uint32_t number_of(const Program& program, const Arg& graph);

 private:
  std::vector<Value> trace_graph(const PreparedProgram& graph, std::span<const Value> inputs,
                                 const TraceOptions& options);

  Program& program_;
  TraceOptions options_;
  std::unordered_map<const Graph*, uint32_t> traced_;
};

}  // namespace ersatz
