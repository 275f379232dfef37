#include "runtime/op/dispatch.h"
#include "runtime/op/composite.h"

#include "runtime/base/log.h"
#include "runtime/base/source_line.h"
#include "runtime/base/suggestion.h"
#include "runtime/op/mode.h"
#include "runtime/tensor/cuda_module.h"
#include "runtime/tensor/fake_owner.h"
#include "runtime/tensor/kernel_scope.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

using detail::t_outermost_mode;

namespace {

/// Makes the modes from `inner` inwards the active ones while a mode's handler runs.
class HandlerScope {
 public:
  explicit HandlerScope(ModeGuard* inner) : saved_(t_outermost_mode) { t_outermost_mode = inner; }
  ~HandlerScope() { t_outermost_mode = saved_; }

 private:
  ModeGuard* saved_;
};

FakeOwner* fake_owner(std::span<const Value> args) {
  for (const Value& v : args) {
    if (v.is_tensor()) {
      if (FakeOwner* owner = v.tensor_impl()->fake_mode.get()) return owner;
    } else if (v.kind() == Value::Kind::List) {
      if (FakeOwner* owner = fake_owner(v.as_list())) return owner;
    }
  }
  return nullptr;
}

[[noreturn]] void raise_device_mismatch(const OpEntry& op, Device a, Device b, std::span<const Value> args,
                                        size_t argument) {
  std::string operands;
  for_each_tensor(args, [&](const TensorImpl* t) {
    operands += (operands.empty() ? "" : ", ") + to_string(t->meta, MetaStyle::People);
  });
  Error e(ErrorKind::DeviceMismatch, ErrorFamily::Runtime,
          fmt::format("{}: its tensors must be on one device: found two different devices {}, {} among {} [{}.device]",
                      op.base(), to_string(a), to_string(b), operands, op.base()));
  e.op = op.base();
  e.label = fmt::format("{}.device", op.base());
  e.argument = static_cast<int>(argument);
  e.suggestion = fmt::format("move argument {} to {}", argument, to_string(a));
  throw e;
}

/// The device that the tensors agree on. A 0-d CPU tensor, where its argument allows that, yields to the others.
class CommonDevice {
 public:
  CommonDevice(const OpEntry& op, std::span<const Value> args) : op_(op), args_(args) {}

  Device find(Device without_tensors) {
    for (size_t i = 0; i < args_.size(); ++i) {
      const Value& v = args_[i];
      if (v.is_tensor()) {
        see(v.tensor_impl()->meta, i);
      } else if (v.kind() == Value::Kind::List) {
        for_each_tensor(v.as_list(), [&](const TensorImpl* t) { see(t->meta, i); });
      }
    }
    return any_ ? common_ : without_tensors;
  }

 private:
  void see(const TensorMeta& t, size_t argument) {
    if (any_ && t.device == common_) {
      if (yields_) yields_ = t.dim() == 0;
      return;
    }
    DeviceRule rule = op_.device_rules.empty() ? DeviceRule::Same : op_.device_rules[argument];
    if (rule == DeviceRule::Any) return;
    bool yields = rule == DeviceRule::CpuScalarOk && t.device.is_cpu() && t.dim() == 0;
    if (!any_ || yields_) {
      if (any_ && yields) return;
      common_ = t.device;
      yields_ = yields;
      any_ = true;
    } else if (!yields) {
      raise_device_mismatch(op_, common_, t.device, args_, argument);
    }
  }

  const OpEntry& op_;
  std::span<const Value> args_;
  Device common_ = kCPU;
  bool any_ = false;
  bool yields_ = false;  // the common device came only from 0-d CPU tensors
};

/// One output tensor of a rule's answer; undefined where the result is a number or None.
template <class MakeStorage>
Tensor make_output(OutputSpec& o, FakeOwner* owner, MakeStorage&& make_storage) {
  switch (o.kind) {
    case OutputSpec::Kind::Fresh: {
      Ref<Storage> storage = make_storage(o.meta);
      return Tensor(make_ref<TensorImpl>(std::move(o.meta), std::move(storage), Ref<FakeOwner>(owner)));
    }
    case OutputSpec::Kind::View:
      return Tensor(make_ref<TensorImpl>(std::move(o.meta), o.source->storage, o.source->fake_mode));
    case OutputSpec::Kind::Same:
      if (o.metadata_changed) {
        SymInt needed = storage_bytes_needed(o.meta);
        if (!sym_eq(needed, o.source->storage->nbytes()) && guard_gt(needed, o.source->storage->nbytes())) {
          o.source->storage->resize(needed);
        }
        o.source->meta = std::move(o.meta);
      }
      return Tensor(Ref<TensorImpl>(o.source));
    case OutputSpec::Kind::Number:
    case OutputSpec::Kind::None:
      break;
  }
  return {};
}

Ref<Storage> fake_storage(const TensorMeta& m) { return Storage::make_fake(storage_bytes_needed(m), m.device); }
Ref<Storage> real_storage(const TensorMeta& m) {
  return Storage::allocate(storage_bytes_needed(m).guard_int(), m.device);
}

}  // namespace

void dispatch(const OpEntry& op, std::span<const Value> args, Values& results) try {
  if (ModeGuard* outermost = t_outermost_mode) {
    HandlerScope scope(outermost->inner());
    return outermost->mode().call(op, args, results);
  }
  if (FakeOwner* owner = fake_owner(args)) {
    Ref<FakeOwner> alive(owner);
    return owner->call_owned(op, args, results);
  }
  run_real(op, args, results);
} catch (Error& e) {  // whoever raised it, it belongs to this call: of nested ones to the innermost
  if (e.op.empty()) e.op = op.base();
  describe_error(e, args);
  throw;
}

Values call(const OpEntry& op, std::span<const Value> positional,
            std::span<const std::pair<std::string, Value>> keywords) {
  std::vector<Value> args;
  try {
    args = bind_arguments(op.schema, positional, keywords);
  } catch (Error& e) {
    describe_error(e, positional);
    throw;
  }
  Values results;
  dispatch(op, args, results);
  return results;
}

Values call(std::string_view op, std::initializer_list<Value> positional) {
  return call(op_named(op), std::span<const Value>(positional.begin(), positional.size()));
}

void describe_error(Error& e, std::span<const Value> args) {
  if (e.arguments.empty()) {
    for (const Value& v : args) e.arguments.push_back(to_string(v));
  }
  if (e.source.empty()) e.source = current_source_line();
  if (e.suggestion.empty()) e.suggestion = usual_suggestion(e.kind);
}

namespace {
/// Says of a call that its rule could not read that a number stands where a tensor is needed, if one does. Rules read
/// arguments as the schema has them and look no further, so this costs nothing where all is well.
void refuse_numbers_for_tensors(const OpEntry& op, std::span<const Value> args) {
  for (size_t i = 0; i < args.size(); ++i) {
    if (!args[i].is_number() || op.schema.arguments[i].type.base != BaseType::Tensor) continue;
    bool any = false;
    for_each_tensor(args, [&](const TensorImpl*) { any = true; });
    Error e(ErrorKind::InvalidArgument, ErrorFamily::Type,
            any ? fmt::format("{}: argument {} must be a tensor, it is {}", op.base(), i, to_string(args[i]))
                : fmt::format("{}: Could not find common device for {}: argument {} must be a tensor, it is {}",
                              op.base(), op.name, i, to_string(args[i])));
    e.op = op.base();
    e.argument = static_cast<int>(i);
    describe_error(e, args);
    throw e;
  }
}

/// What is made in inference mode stays out of autograd; a view is what its base is.
void mark_inference(RuleResult& result) {
  for (OutputSpec& o : result.outputs) {
    if (o.kind == OutputSpec::Kind::Fresh) o.meta.inference = true;
  }
}
}  // namespace

void run_rule(const OpEntry& op, std::span<const Value> args, RuleResult& result) {
  const RuleContext& context = rule_context();
  try {
    Device device = CommonDevice(op, args).find(context.default_device);
    RuleCall call{op, args, context, device, result};
    op.rule(call);
    if (context.inference_mode) [[unlikely]]
      mark_inference(result);
  } catch (Error& e) {
    if (e.kind == ErrorKind::InternalError) refuse_numbers_for_tensors(op, args);
    describe_error(e, args);
    log().debug("{} raised {}: {}", op.name, name(e.kind), e.message);
    throw;
  }
}

void make_outputs(RuleResult& rule, FakeOwner* owner, OutputTensors& outputs) {
  for (OutputSpec& o : rule.outputs) outputs.push_back(make_output(o, owner, owner ? fake_storage : real_storage));
}

void make_outputs(RuleResult& rule, const std::function<Ref<Storage>(int64_t, Device)>& allocate,
                  OutputTensors& outputs) {
  auto make_storage = [&](const TensorMeta& m) { return allocate(storage_bytes_needed(m).guard_int(), m.device); };
  for (OutputSpec& o : rule.outputs) outputs.push_back(make_output(o, nullptr, make_storage));
}

void make_results(const OpEntry& op, RuleResult& rule, FakeOwner* owner, Values& results) {
  if (op.returns_list) {
    OutputTensors outputs;
    make_outputs(rule, owner, outputs);
    return pack_results(op, rule, outputs, results);
  }
  for (OutputSpec& o : rule.outputs) {
    if (o.kind == OutputSpec::Kind::Number) {
      results.push_back(std::move(o.number));
    } else {
      results.emplace_back(make_output(o, owner, owner ? fake_storage : real_storage));
    }
  }
}

bool needs_kernel(const OpEntry& op, const RuleResult& rule) {
  if (op.tags.has(Tag::Uninitialized) || op.tags.has(Tag::InplaceView)) return false;
  if (!op.written.empty() || !rule.also_written.empty()) return true;
  for (const OutputSpec& o : rule.outputs) {
    if (o.kind == OutputSpec::Kind::Fresh) return true;
  }
  return false;
}

DeviceType kernel_device(std::span<const Value> args, std::span<const Tensor> outputs) {
  bool meta = false, cuda = false;
  auto see = [&](Device d) {
    cuda |= d.is_cuda();
    meta |= d.is_meta();
  };
  for_each_tensor(args, [&](const TensorImpl* t) { see(t->meta.device); });
  for (const Tensor& t : outputs) {
    if (t) see(t.device());
  }
  return cuda ? DeviceType::CUDA : meta ? DeviceType::Meta : DeviceType::CPU;
}

namespace {
[[noreturn]] void raise_no_kernel(const OpEntry& op, DeviceType device) {
  std::string others;
  for (int d = 0; d < kDeviceTypeCount; ++d) {
    auto t = static_cast<DeviceType>(d);
    if (t != device && op.has_kernel(t))
      others += fmt::format("{}{}", others.empty() ? "; it has one for " : ", ", name(t));
  }
  Error e(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
          fmt::format("{}: {} has no kernel for {}{}", op.base(), op.name, name(device), others));
  e.op = op.base();
  e.suggestion = others.empty() ? "give the op a kernel" : "run it on a device that it has a kernel for";
  throw e;
}
}  // namespace

namespace {
thread_local constinit const OpEntry* t_cuda_op = nullptr;

/// Says whose CUDA kernel runs while one lives.
class CudaOp {
 public:
  explicit CudaOp(const OpEntry& op) : before_(std::exchange(t_cuda_op, &op)) {}
  ~CudaOp() { t_cuda_op = before_; }
  CudaOp(const CudaOp&) = delete;
  CudaOp& operator=(const CudaOp&) = delete;

 private:
  const OpEntry* before_;
};

/// Apart from the CPU's way, which is the one that is measured in nanoseconds.
template <class Kernel, class... Results>
[[gnu::noinline]] void run_cuda_kernel(const OpEntry& op, const std::atomic<Kernel>& attached, KernelCall& call,
                                       Results&... results) {
  cuda_functions();  // attaches the kernels
  const Kernel kernel = attached.load(std::memory_order_relaxed);
  if (!kernel) raise_no_kernel(op, DeviceType::CUDA);
  const CudaOp current(op);
  detail::KernelScope in_kernel;
  kernel(call, results...);
}
}  // namespace

const OpEntry* running_cuda_op() { return t_cuda_op; }

void run_kernel(const OpEntry& op, std::span<const Value> args, std::span<Tensor> outputs, DeviceType device) {
  if (device == DeviceType::Meta) return;
  if (device == DeviceType::CUDA) [[unlikely]] {
    KernelCall call{op, args, outputs, rule_context()};
    return run_cuda_kernel(op, op.fill_kernels[static_cast<size_t>(device)], call);
  }
  FillKernel kernel = op.fill_kernels[static_cast<size_t>(device)].load(std::memory_order_relaxed);
  if (!kernel) [[unlikely]]
    raise_no_kernel(op, device);
  KernelCall call{op, args, outputs, rule_context()};
  detail::KernelScope in_kernel;
  kernel(call);
}

void run_return_kernel(const OpEntry& op, std::span<const Value> args, DeviceType device, Values& results) {
  if (device == DeviceType::CUDA) [[unlikely]] {
    KernelCall call{op, args, {}, rule_context()};
    return run_cuda_kernel(op, op.return_kernels[static_cast<size_t>(device)], call, results);
  }
  ReturnKernel kernel = op.return_kernels[static_cast<size_t>(device)].load(std::memory_order_relaxed);
  if (!kernel) raise_no_kernel(op, device);
  KernelCall call{op, args, {}, rule_context()};
  detail::KernelScope in_kernel;
  kernel(call, results);
}

void prepare_writes(const OpEntry& op, std::span<const Value> args, const RuleResult& rule) {
  for (uint16_t i : op.written) {
    for_each_tensor(args.subspan(i, 1), [](TensorImpl* t) { t->storage->prepare_write(); });
  }
  for (TensorImpl* t : rule.also_written) t->storage->prepare_write();
}

void bump_written(const OpEntry& op, std::span<const Value> args, const RuleResult& rule) {
  for (uint16_t i : op.written) {
    for_each_tensor(args.subspan(i, 1), [](TensorImpl* t) { t->storage->bump_version(); });
  }
  for (TensorImpl* t : rule.also_written) t->storage->bump_version();
}

void pack_results(const OpEntry& op, RuleResult& rule, OutputTensors& outputs, Values& results) {
  auto value_at = [&](size_t i) {
    OutputSpec& o = rule.outputs[i];
    return o.kind == OutputSpec::Kind::Number ? std::move(o.number) : Value(std::move(outputs[i]));
  };
  size_t at = 0;
  size_t returns = op.schema.returns.size();
  if (!op.returns_list) {
    for (; at < returns; ++at) results.emplace_back(value_at(at));
    return;
  }
  for (size_t r = 0; r < returns; ++r) {
    if (!op.schema.returns[r].type.is_list()) {
      results.emplace_back(value_at(at++));
      continue;
    }
    size_t length = outputs.size() - at - (returns - r - 1);  // at most one return is a list of unknown length
    std::vector<Value> items;
    for (size_t i = 0; i < length; ++i) items.push_back(value_at(at++));
    results.emplace_back(Value::list(items));
  }
}

namespace {
bool has_fill_kernel(const OpEntry& op) {
  return op.fill_kernels[0].load(std::memory_order_relaxed) || op.fill_kernels[1].load(std::memory_order_relaxed);
}
}  // namespace

void run_real(const OpEntry& op, std::span<const Value> args, Values& results) {
  if (op.composite) return run_composite(op, args, results);
  RuleResult rule;
  OutputTensors outputs;
  bool returns_own =
      op.return_kernels[0].load(std::memory_order_relaxed) || op.return_kernels[1].load(std::memory_order_relaxed);
  if (returns_own) {
    // The kernel's results are its own; the rule only validates, and a foreign op's rule stays out of it entirely so
    // that the kernel is an independent witness. An op that has both kinds of kernel returns its own results for the
    // calls whose outputs its rule cannot name.
    if (op.rule && !op.tags.has(Tag::Foreign)) run_rule(op, args, rule);
    if (rule.outputs.empty() || !has_fill_kernel(op)) {
      prepare_writes(op, args, rule);
      run_return_kernel(op, args, kernel_device(args, {}), results);
      bump_written(op, args, rule);
      return;
    }
  } else {
    if (!op.rule) {
      fail(ErrorKind::UnsupportedOperator, ErrorFamily::NotImplemented, "{} has neither a rule nor a kernel", op.name);
    }
    run_rule(op, args, rule);
  }
  if (!needs_kernel(op, rule)) {
    bump_written(op, args, rule);
    return make_results(op, rule, nullptr, results);
  }
  make_outputs(rule, nullptr, outputs);
  prepare_writes(op, args, rule);
  run_kernel(op, args, outputs, kernel_device(args, outputs));
  bump_written(op, args, rule);
  pack_results(op, rule, outputs, results);
}

}  // namespace ersatz
