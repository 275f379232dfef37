#include "tools/diff/value_run.h"

#include <algorithm>

#include "fake/crosscheck/wide_copies.h"
#include "fake/watch/saved_generators.h"
#include "runtime/base/context.h"
#include "runtime/op/dispatch.h"
#include "tools/output/interrupt.h"

namespace ersatz::tools {
namespace {

PrepareOptions on_cpu() {
  PrepareOptions options;
  options.device = kCPU;
  return options;
}

/// Fills the tensors' memory with zeros. Else two runs could differ in memory that no node writes.
void clear_memory(std::span<const Value> tensors) {
  for_each_tensor(tensors, [](const TensorImpl* t) {
    if (!t->storage->has_bytes() || t->storage->device().is_cuda()) return;
    std::fill_n(t->storage->data(), t->storage->nbytes().as_int(), std::byte{0});
  });
}

}  // namespace

ValueRun::ValueRun(const Program& program) : prepared_(program, on_cpu()) {}

std::vector<Value> ValueRun::run(std::span<const Value> inputs, uint64_t seed, const See& see) {
  const KeepGenerators keep(inputs);
  manual_seed(seed);
  Interpreter interpreter(prepared_, this);
  interpreter_ = &interpreter;
  see_ = &see;
  return interpreter.run(inputs);
}

std::vector<Value> ValueRun::run_wide(std::span<const Value> inputs, uint64_t seed, const See& see,
                                      std::string& stopped) {
  const std::vector<Value> wide = WideCopies().of(inputs);
  const ContextGuard wide_factories([](RuleContext& c) { c.default_dtype = DType::F64; });
  wide_ = true;
  std::vector<Value> outputs;
  try {
    outputs = run(wide, seed, see);
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
    stopped = e.message;
  }
  wide_ = false;
  return outputs;
}

void ValueRun::call(const NodeCall& call, std::span<Values> results) {
  const OpEntry& op = *call.step.entry;
  std::vector<Value> args;
  for (const Value& v : call.lanes[0]) {
    args.push_back(wide_ && v.kind() == Value::Kind::DType ? Value(wide_dtype(v.as_dtype())) : v.borrowed());
  }
  dispatch(op, args, results[0]);
  if (op.tags.has(Tag::Uninitialized)) clear_memory(results[0]);
}

void ValueRun::done(const NodeCall& call) {
  if (*see_) {
    std::vector<Value> values;
    for (const ValueId id : result_values(call.program(), call.node())) {
      values.push_back(id == kNone ? Value() : interpreter_->value(id));
    }
    (*see_)(call.id, values);
  }
  stop_if_interrupted("while a program was run");
}

}  // namespace ersatz::tools
