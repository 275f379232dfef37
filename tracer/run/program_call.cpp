#include "tracer/run/program_call.h"

#include <algorithm>

#include "runtime/op/map_tensors.h"

namespace ersatz {

ProgramCall::ProgramCall(const Program& program) : prepared_(program), run_(prepared_) {
  const std::vector<GraphInput>& inputs = program.main().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].stored == kNone) given_.push_back(i);
  }
}

/// Leaves of an argument `xs` are called `xs_0`, `xs_1` and so on (tracer/trace/trace.h).
bool ProgramCall::is_stolen(const Value& argument, size_t first_leaf) const {
  if (argument.kind() != Value::Kind::List || first_leaf >= given_.size()) return false;
  const Program& p = prepared_.program();
  const std::string_view leaf = p.name(p.main().values[p.main().inputs[given_[first_leaf]].value].name);
  return std::any_of(p.steals.begin(), p.steals.end(), [&](const std::string& name) { return leaf == name + "_0"; });
}

std::vector<Value> ProgramCall::operator()(std::span<Value> arguments) {
  const Program& program = prepared_.program();
  std::vector<Value> leaves;
  for (Value& argument : arguments) {
    const size_t first = leaves.size();
    flatten(std::span<const Value>(&argument, 1), leaves);
    if (is_stolen(argument, first)) argument = Value::list(std::vector<Value>());
  }
  if (leaves.size() != given_.size())
    fail_argument("the program takes {} values, the arguments have {}", given_.size(), leaves.size());
  std::vector<Value> inputs(program.main().inputs.size());
  for (size_t i = 0; i < leaves.size(); ++i) inputs[given_[i]] = std::move(leaves[i]);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const GraphInput& in = program.main().inputs[i];
    if (in.stored != kNone) inputs[i] = Value(program.weights.tensor(in.stored));
  }
  leaves.clear();
  return run_.run(std::move(inputs));
}

}  // namespace ersatz
