#include "tracer/trace/retrace.h"

#include <algorithm>
#include <map>

#include "fake/mode/active_fake_mode.h"
#include "runtime/autograd/grad_mode.h"
#include "tracer/run/run_inputs.h"
#include "tracer/trace/joint.h"
#include "tracer/trace/kept_origin.h"

namespace ersatz {

namespace {

/// Returns whether the traced function captures the input instead of getting it as argument. That is so for stored
/// constants.
bool is_found(const GraphInput& in) { return in.kind == InputKind::TensorConstant && in.stored != kNone; }

/// Copies kinds and stored values of the old program's inputs to those inputs of the new one that were arguments of the
/// trace.
void describe_inputs(const Program& from, Program& made) {
  std::map<std::string_view, const GraphInput*> by_name;
  for (const GraphInput& in : from.main().inputs) by_name[from.name(from.main().values[in.value].name)] = &in;
  std::vector<uint32_t> payloads(from.weights.payloads().size(), kNone);
  made.weights.seed = from.weights.seed;
  for (GraphInput& now : made.main().inputs) {
    const auto at = by_name.find(made.name(made.main().values[now.value].name));
    if (at == by_name.end()) continue;
    const GraphInput& before = *at->second;
    now.kind = before.kind;
    now.target = made.names.intern(from.name(before.target));
    if (before.stored == kNone) continue;
    const StoredTensor& stored = from.weights.tensors()[before.stored];
    uint32_t& payload = payloads[stored.payload];
    if (payload == kNone) payload = made.weights.add_payload(from.weights.payloads()[stored.payload]);
    now.stored = made.weights.add_tensor({stored.name, payload, stored.meta});
  }
}

/// Copies the kinds of the old program's outputs to the function's outputs. The first `writes` outputs of the new
/// program are mutations, and each names its input.
void describe_outputs(const Program& from, Program& made, size_t writes) {
  std::vector<GraphOutput>& outputs = made.main().outputs;
  for (size_t i = 0; i < writes; ++i) {
    if (outputs[i].kind != OutputKind::UserInputMutation) continue;
    for (const GraphInput& in : made.main().inputs) {
      if (made.main().values[in.value].name != outputs[i].target) continue;
      const bool parameter = in.kind == InputKind::Parameter;
      const bool buffer = in.kind == InputKind::Buffer || in.kind == InputKind::LooseBuffer;
      if (!parameter && !buffer) continue;
      outputs[i].kind = parameter ? OutputKind::ParameterMutation : OutputKind::BufferMutation;
      outputs[i].target = in.target;
    }
  }
  for (size_t i = 0; i < from.main().outputs.size(); ++i) {
    outputs[writes + i].kind = from.main().outputs[i].kind;
    outputs[writes + i].target = made.names.intern(from.name(from.main().outputs[i].target));
  }
}

/// Returns the inputs for symbolic mode: fakes with the sizes and numbers that the program records, with its symbols.
std::vector<Value> recorded_inputs(const Program& program, std::span<const Value> inputs, const FakeMode& mode) {
  InputChoice as_recorded;
  as_recorded.symbolic = true;
  std::vector<Value> made = make_fake_inputs(program, mode, SymbolValues(program), as_recorded);
  for (size_t i = 0; i < made.size(); ++i) {
    if (is_found(program.main().inputs[i])) made[i] = inputs[i];  // a real tensor, so that its bytes are kept
  }
  return made;
}

bool any_fake(std::span<const Value> inputs) {
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const Value& v) { return v.is_tensor() && v.tensor().is_fake(); });
}

}  // namespace

Program retrace(const Program& program, std::span<const Value> given, const TraceOptions& options, JointTrace* joint) {
  const WithoutAutograd as_they_are;  // otherwise parameters that require gradients would cause decompositions
  const Graph& graph = program.main();
  if (given.size() != graph.inputs.size())
    fail_argument("the graph has {} inputs, {} given", graph.inputs.size(), given.size());
  TraceOptions named = options;
  named.allow_non_fake_inputs = true;
  std::vector<Value> inputs(given.begin(), given.end());
  std::optional<FakeScope> symbols;
  if (options.mode == TraceMode::Symbolic && !active_fake_mode() && !any_fake(given)) {
    const FakeMode mode = make_trace_mode(named, program.env, /*keeps_sizes=*/true);
    inputs = recorded_inputs(program, given, mode);
    symbols.emplace(mode);
  }
  named.input_names.clear();
  std::vector<Value> arguments;
  std::map<const TensorImpl*, std::string> found;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string name(program.name(graph.values[graph.inputs[i].value].name));
    if (is_found(graph.inputs[i]) && inputs[i].is_tensor()) {
      found[inputs[i].tensor_impl()] = name;
    } else {
      arguments.push_back(inputs[i]);
      named.input_names.push_back(name);
    }
  }
  named.captured_name = [&](const Tensor& t) {
    const auto at = found.find(t.impl());
    return at == found.end() ? std::string() : at->second;
  };
  const PreparedProgram prepared(program);
  KeptOrigin origin(program);
  Interpreter interpreter(prepared, &origin);
  size_t results = 0;
  const auto run = [&](std::span<const Value> formal) {
    std::vector<Value> all;
    for (size_t i = 0, next = 0; i < inputs.size(); ++i) {
      const bool constant = is_found(graph.inputs[i]) && inputs[i].is_tensor();
      all.push_back(constant ? inputs[i] : formal[next++]);
    }
    std::vector<Value> outputs = joint ? joint->run(interpreter, all) : interpreter.run(all);
    results = outputs.size();
    return outputs;
  };
  Program made = trace(run, arguments, named);
  if (options.function.empty()) made.function = program.function;
  if (options.steals.empty()) made.steals = program.steals;
  made.plugins = program.plugins;
  made.foreign_schemas = program.foreign_schemas;
  if (made.env == program.env) made.constraints = program.constraints;
  describe_inputs(program, made);
  const size_t writes = made.main().outputs.size() - results;
  describe_outputs(program, made, writes);
  if (joint) joint->describe_outputs(made, writes);
  return made;
}

}  // namespace ersatz
