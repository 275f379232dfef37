#include "tracer/run/nested_graph.h"

#include <algorithm>

#include "tracer/run/interpreter.h"

namespace ersatz {

void refuse_node(const OpEntry& op, std::string_view what) { fail_argument("{}: {}", op.base(), what); }

NestedGraph::NestedGraph(HigherOrderOp& of, const Program& program, const Arg& graph, size_t inputs, size_t outputs,
                         const PrepareOptions& options) {
  const Graph& body = *program.graphs[graph.index];
  if (body.inputs.size() != inputs || body.outputs.size() != outputs) {
    refuse_node(of, fmt::format("its graph has {} inputs and {} outputs, the node {} operands and {} results",
                                body.inputs.size(), body.outputs.size(), inputs, outputs));
  }
  body_ = std::make_unique<PreparedProgram>(program, body, options);
  for (const auto& [op, times] : body_->missing_ops()) {
    if (std::find(of.missing.begin(), of.missing.end(), op) == of.missing.end()) of.missing.push_back(op);
  }
}

namespace {
thread_local constinit NestedGraphRunner* t_runner = nullptr;
}
NestedGraphScope::NestedGraphScope(NestedGraphRunner* runner) : outer_(std::exchange(t_runner, runner)) {}
NestedGraphScope::~NestedGraphScope() { t_runner = outer_; }

std::vector<Value> NestedGraph::run(std::span<const Value> inputs) const {
  return t_runner ? t_runner->run(*body_, inputs) : Interpreter(*body_).run(inputs);
}

}  // namespace ersatz
