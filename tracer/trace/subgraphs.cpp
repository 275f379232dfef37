#include "tracer/trace/subgraphs.h"

#include "tracer/program/symbol_values.h"
#include "tracer/trace/kept_origin.h"
#include "tracer/trace/tracer.h"

namespace ersatz {

std::vector<Value> Subgraphs::run(const PreparedProgram& graph, std::span<const Value> inputs) {
  if (traced_.count(&graph.graph())) {
    const NestedGraphScope as_it_is(nullptr);
    return Interpreter(graph).run(inputs);
  }
  return trace_graph(graph, inputs, options_);
}

std::vector<Value> Subgraphs::trace_graph(const PreparedProgram& graph, std::span<const Value> inputs,
                                          const TraceOptions& options) {
  const Program& from = graph.program();
  const Graph& body = graph.graph();
  const uint32_t number = static_cast<uint32_t>(program_.graphs.size());
  program_.graphs.push_back(std::make_unique<Graph>());
  Graph& made = *program_.graphs.back();
  made.name = program_.names.intern(fmt::format("{}", from.name(body.name)));
  for (size_t i = 0; i + 1 < program_.graphs.size(); ++i) {
    if (program_.graphs[i]->name == made.name)
      made.name = program_.names.intern(fmt::format("{}_{}", from.name(body.name), number));
  }
  made.single_result = body.single_result;
  Tracer tracer(program_, made, options, RegionState::now());
  for (size_t i = 0; i < inputs.size(); ++i)
    tracer.add_input(from.name(body.values[body.inputs[i].value].name), inputs[i]);
  std::vector<Value> results;
  {
    const ModeGuard recorded(tracer);
    KeptOrigin origin(from);
    results = Interpreter(graph, &origin).run(inputs);
  }
  for (const Value& r : results) tracer.add_output(r);
  tracer.finish();
  traced_.emplace(&body, number);
  return results;
}

uint32_t Subgraphs::number_of(const Program& program, const Arg& graph) {
  const Graph& body = *program.graphs[graph.index];
  if (const auto at = traced_.find(&body); at != traced_.end()) return at->second;
  const SymbolValues symbols(program);
  FakeOptions made;
  made.shape_env = program_.env;
  made.static_shapes = true;
  const FakeMode mode(std::move(made));
  std::vector<Value> inputs;
  for (const GraphInput& in : body.inputs) {
    const GraphValue& v = body.values[in.value];
    if (const TensorMeta* recorded = program.meta(v)) {
      std::optional<TensorMeta> meta = symbols.concrete(*recorded);
      if (!meta)
        fail_argument("input {} of graph @{} is {}: its sizes have no example", program.name(v.name),
                      program.name(body.name), *recorded);
      inputs.emplace_back(mode.make(std::move(*meta)));
    } else {
      inputs.push_back(v.record == kNone ? Value() : program.literals[v.record]);
    }
  }
  TraceOptions fake = options_;
  fake.mode = TraceMode::Fake;
  const SuspendModes none;
  const FakeScope scope(mode);
  trace_graph(PreparedProgram(program, body), inputs, fake);
  return traced_.at(&body);
}

}  // namespace ersatz
