#include "tracer/run/program_call.h"

#include <algorithm>

#include "runtime/op/map_tensors.h"
#include "tracer/run/interpreter.h"

namespace ersatz {

struct ProgramCall::Impl {
  explicit Impl(const Program& program);
  bool is_stolen(const Value& argument, size_t first_leaf) const;

  PreparedProgram prepared;
  Interpreter run;
  std::vector<size_t> given;  ///< numbers of the inputs that the caller passes
};

ProgramCall::ProgramCall(const Program& program) : impl_(std::make_unique<Impl>(program)) {}
ProgramCall::~ProgramCall() = default;

ProgramCall::Impl::Impl(const Program& program) : prepared(program), run(prepared) {
  const std::vector<GraphInput>& inputs = program.main().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].stored == kNone) given.push_back(i);
  }
}

/// Returns whether `Program::steals` names the argument. The leaves of an argument `xs` are named `xs_0`, `xs_1` and so
/// on (tracer/trace/trace.h).
bool ProgramCall::Impl::is_stolen(const Value& argument, size_t first_leaf) const {
  if (argument.kind() != Value::Kind::List || first_leaf >= given.size()) return false;
  const Program& p = prepared.program();
  const std::string_view leaf = p.name(p.main().values[p.main().inputs[given[first_leaf]].value].name);
  return std::any_of(p.steals.begin(), p.steals.end(), [&](const std::string& name) { return leaf == name + "_0"; });
}

std::vector<Value> ProgramCall::operator()(std::span<Value> arguments) {
  const Program& program = impl_->prepared.program();
  const std::vector<size_t>& given = impl_->given;
  std::vector<Value> leaves;
  for (Value& argument : arguments) {
    const size_t first = leaves.size();
    flatten(std::span<const Value>(&argument, 1), leaves);
    if (impl_->is_stolen(argument, first)) argument = Value::list(std::vector<Value>());
  }
  if (leaves.size() != given.size())
    fail_argument("the program takes {} values, the arguments have {}", given.size(), leaves.size());
  std::vector<Value> inputs(program.main().inputs.size());
  for (size_t i = 0; i < leaves.size(); ++i) inputs[given[i]] = std::move(leaves[i]);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const GraphInput& in = program.main().inputs[i];
    if (in.stored != kNone) inputs[i] = Value(program.weights.tensor(in.stored));
  }
  leaves.clear();
  return impl_->run.run(std::move(inputs));
}

}  // namespace ersatz
