#include "fake/crosscheck/cpu_run.h"

#include <algorithm>

#include "fake/crosscheck/wide_copies.h"
#include "fake/watch/saved_generators.h"
#include "fake/watch/tensor_copies.h"
#include "runtime/base/context.h"
#include "runtime/op/copy.h"
#include "runtime/op/mode.h"

namespace ersatz {
namespace {

/// Returns whether two of the tensors share a storage. Their copies in f64 share one only if their dtypes are equal.
bool share_storage(std::span<const Value> args) {
  InlineVec<const Storage*, 4> seen;
  bool shared = false;
  for_each_tensor(args, [&](const TensorImpl* t) {
    shared |= std::find(seen.begin(), seen.end(), t->storage.get()) != seen.end();
    seen.push_back(t->storage.get());
  });
  return shared;
}

}  // namespace

Tensor converted(const Tensor& from, DType dtype) {
  Tensor to = make_real_tensor(TensorMeta(dtype, from.sizes()));
  copy_elements(to, from);
  return to;
}

std::optional<Device> CpuRun::device_of(std::span<const Value> args) {
  std::optional<Device> found;
  const auto see = [&](Device d) {
    if (!found && d.is_cuda()) found = resolve(d);
  };
  for (const Value& v : args) {
    if (v.kind() == Value::Kind::Device) see(v.as_device());
    if (v.kind() == Value::Kind::Tensor) see(v.tensor_impl()->meta.device);
    if (v.kind() == Value::Kind::List) for_each_tensor({&v, 1}, [&](const TensorImpl* t) { see(t->meta.device); });
  }
  if (!found) see(rule_context().default_device);
  return found;
}

CpuRun::CpuRun(const OpEntry& op, std::span<const Value> args, bool reference) {
  const Device device = *device_of(args);
  const KeepGenerators keep(args, device);
  default_generator(kCPU).set_state(default_generator(device).state());
  // An op that only makes a view computes nothing, so the copies of its arguments need no bytes.
  const bool computes = op.composite || !op.tags.has(Tag::View) || op.has_kernel(DeviceType::CPU);
  const std::vector<Value> copies = TensorCopies(kCPU, computes, /*autograd=*/false).of(args);
  const bool wide = reference && computes && !op.tags.has(Tag::View) && !op.tags.has(Tag::Random) &&
                    !op.tags.has(Tag::Foreign) && !(op.schema.is_mutable() && share_storage(args));
  const std::vector<Value> wide_args = wide ? WideCopies().of(copies) : std::vector<Value>();
  const ContextGuard on_cpu([](RuleContext& c) { c.default_device = kCPU; });
  const SuspendModes for_real;
  run(op, copies);
  for_each_tensor(copies, [&](TensorImpl* t) { arguments.emplace_back(Ref<TensorImpl>(t)); });
  if (wide && !error) run_wide(op, wide_args);
}

void CpuRun::run(const OpEntry& op, std::span<const Value> args) {
  try {
    run_real(op, args, results);
    return;
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
    error = e;
  } catch (const std::exception& e) {  // for example std::bad_alloc
    error = Error(ErrorKind::NotSupported, ErrorFamily::Runtime, e.what());
  }
  results.clear();
}

/// Runs the call in f64 and stores its results in `reference`. If the run raises an error, `reference` is empty.
void CpuRun::run_wide(const OpEntry& op, std::span<const Value> args) {
  try {
    run_real(op, args, reference);
    return;
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
  } catch (const std::exception&) {
  }
  reference.clear();
}

}  // namespace ersatz
