#include "tracer/run/propagate.h"

#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_value.h"
#include "tracer/program/value_record.h"
#include "tracer/run/interpreter.h"
#include "tracer/run/run_inputs.h"

namespace ersatz {

namespace {

/// Collects the metadata of values when they are made.
class Seen final : public NodeHandler {
 public:
  explicit Seen(const PreparedProgram& prepared) : prepared_(prepared) {}
  const Interpreter* run = nullptr;

  void see(ValueId id, const Value& v) {
    if (v.is_tensor()) {
      metas_.emplace_back(id, v.tensor_impl()->meta);
    } else {
      others_.emplace_back(id, v);
    }
  }
  void done(const NodeCall& call) override {
    for (const ValueId id : result_values(prepared_.program(), call.node())) {
      if (id != kNone) see(id, run->value(id));
    }
  }
  void keep(Program& program) const {
    std::vector<GraphValue>& values = program.main().values;
    for (const auto& [id, meta] : metas_) {
      values[id].kind = ValueKind::Tensor;
      values[id].record = program.add_meta(meta);
    }
    for (const auto& [id, v] : others_) record_value(program, values[id], v);
  }

 private:
  const PreparedProgram& prepared_;
  std::vector<std::pair<ValueId, TensorMeta>> metas_;
  std::vector<std::pair<ValueId, Value>> others_;
};

Value fake_input(const Value& v, const FakeMode& mode, std::string_view name) {
  if (!v.is_tensor()) return v;
  const std::optional<FakeMode> other = mode_of(v.tensor());
  if (!other) return Value(mode.from_tensor(v.tensor()));
  if (!(*other == mode)) {
    fail_argument(
        "input {} is a fake of another mode than the one that the program is propagated under. That of the input was "
        "made\n{}\nthe other one\n{}",
        name, other->stack(), mode.stack());
  }
  return v;
}

std::vector<Value> fake_inputs(const Program& program, const FakeMode& mode, std::span<const Value> given) {
  const std::vector<GraphInput>& formal = program.main().inputs;
  size_t open = 0;
  for (const GraphInput& in : formal) open += in.stored == kNone;
  if (given.size() != formal.size() && given.size() != open) {
    fail_argument("the program has {} inputs, {} of them without a stored value; {} are given", formal.size(), open,
                  given.size());
  }
  const bool all = given.size() == formal.size();
  std::vector<Value> inputs;
  if (!all) inputs = make_fake_inputs(program, mode, SymbolValues(program));
  inputs.resize(formal.size());
  for (size_t i = 0, next = 0; i < formal.size(); ++i) {
    if (all || formal[i].stored == kNone)
      inputs[i] = fake_input(given[next++], mode, program.name(program.main().values[formal[i].value].name));
  }
  return inputs;
}

/// Declares symbols of an earlier run equal to the new symbols that are in the same places of the node's results.
void bind_again(const Program& program, NodeId node, std::span<const SymbolBinding> before) {
  if (before.empty()) return;
  for (const SymbolBinding& now : recorded_bindings(program, program.main(), node)) {
    for (const SymbolBinding& was : before) {
      if (!now.same_place(was) || now.symbol.is_identical(was.symbol)) continue;
      set_equal(now.symbol, was.symbol,
                fmt::format("node {}, which was propagated again", program.name(program.main().nodes[node].name)));
    }
  }
}

}  // namespace

Propagated propagate(Program& program, std::optional<FakeMode> given_mode, std::span<const Value> given) {
  Propagated made{given_mode ? *given_mode : FakeMode(), {}};
  std::vector<Value> inputs = fake_inputs(program, made.mode, given);
  Graph& graph = program.main();
  const std::shared_ptr<ShapeEnv>& env = made.mode.options().shape_env;
  std::vector<std::vector<SymbolBinding>> before(graph.nodes.size());
  const std::vector<GraphValue> records = graph.values;
  if (env && env == program.env) {
    for (NodeId i = 0; i < graph.nodes.size(); ++i) before[i] = recorded_bindings(program, graph, i);
  }
  try {
    // The records are cleared, because a node would reuse a recorded symbol and this run must make its own.
    for (GraphValue& v : graph.values) {
      if (v.node != kNone) v.record = kNone;
    }
    const PreparedProgram prepared(program);
    Seen seen(prepared);
    Interpreter run(prepared, &seen);
    seen.run = &run;
    for (size_t i = 0; i < inputs.size(); ++i) seen.see(graph.inputs[i].value, inputs[i]);
    const FakeScope scope(made.mode);
    made.outputs = run.run(std::move(inputs));
    seen.keep(program);
  } catch (...) {
    graph.values = records;
    throw;
  }
  if (env) program.env = env;
  for (NodeId i = 0; i < graph.nodes.size(); ++i) bind_again(program, i, before[i]);
  return made;
}

}  // namespace ersatz
