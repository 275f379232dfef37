#include "runtime/op/real_call.h"

#include <algorithm>

#include "runtime/base/dtype_switch.h"
#include "runtime/op/composite.h"
#include "runtime/op/copy.h"
#include "runtime/op/keeps_version_tag.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/moves_tag.h"
#include "runtime/op/widened_call.h"
#include "runtime/tensor/cuda_module.h"
#include "runtime/tensor/fake_owner.h"
#include "runtime/tensor/kernel_scope.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/loose_bools.h"

namespace ersatz {

namespace {

/// Makes the tensor of one output. Returns an undefined Tensor if the output is a number or None.
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
        const SymInt have = o.source->storage->nbytes();
        if (needed.is_symbolic() || have.is_symbolic()) {
          o.source->storage->resize(sym_max(needed, have));
        } else if (needed.as_int() > have.as_int()) {
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

namespace {
/// Collects the devices of a call's arguments and outputs. `of_kernel` returns the device whose kernel must run.
class SeenDevices {
 public:
  explicit SeenDevices(std::span<const Value> args) {
    for_each_tensor(args, [&](const TensorImpl* t) { see(t->meta.device); });
  }
  void see(Device d) {
    cuda_ |= d.is_cuda();
    meta_ |= d.is_meta();
  }
  DeviceType of_kernel() const { return cuda_ ? DeviceType::CUDA : meta_ ? DeviceType::Meta : DeviceType::CPU; }

 private:
  bool meta_ = false, cuda_ = false;
};
}  // namespace

DeviceType kernel_device(std::span<const Value> args, std::span<const Tensor> outputs) {
  SeenDevices devices(args);
  for (const Tensor& t : outputs) {
    if (t) devices.see(t.device());
  }
  return devices.of_kernel();
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
/// Returns the first dtype of kLimitedDTypes among the arguments and outputs of a call.
std::optional<DType> limited_dtype(const KernelCall& call) {
  std::optional<DType> found;
  const auto see = [&](const TensorImpl* t) {
    if (!found && kLimitedDTypes.has(t->meta.dtype)) found = t->meta.dtype;
  };
  for_each_tensor(call.args, see);
  for (const Tensor& t : call.outputs) {
    if (t) see(t.impl());
  }
  return found;
}
/// Runs a call in a wider dtype, because the kernel is not compiled for the dtype `missing`.
void run_wider(FillKernel kernel, const KernelCall& call, const NoKernelForDType& missing) {
  run_widened(kernel, call, missing.dtype);
}
/// Raises an error: a ReturnKernel is not run in a wider dtype, because its results could not be converted back.
[[noreturn]] void run_wider(ReturnKernel, const KernelCall& call, const NoKernelForDType& missing, Values&) {
  fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "{}: no kernel computes in {}", call.op.base(),
       name(missing.dtype));
}

thread_local constinit const OpEntry* t_cuda_op = nullptr;

/// While a CudaOp exists, `t_cuda_op` is the op whose CUDA kernel runs.
class CudaOp {
 public:
  explicit CudaOp(const OpEntry& op) : before_(std::exchange(t_cuda_op, &op)) {}
  ~CudaOp() { t_cuda_op = before_; }
  CudaOp(const CudaOp&) = delete;
  CudaOp& operator=(const CudaOp&) = delete;

 private:
  const OpEntry* before_;
};

/// This is a separate function that is not inlined, because a CPU call takes nanoseconds and its code must stay short.
template <class Kernel, class... Results>
[[gnu::noinline]] void run_cuda_kernel(const OpEntry& op, const std::atomic<Kernel>& attached,
                                       const std::atomic<Kernel>& on_host, KernelCall& call, Results&... results) {
  const CudaFunctions& cuda = cuda_functions();  // the first call loads the CUDA module, which attaches its kernels
  // not for an op that a kernel calls, because the kernel's own call has raised the recorded errors already
  if (cuda.raise_noted && !t_cuda_op) cuda.raise_noted();
  const Kernel kernel = attached.load(std::memory_order_relaxed);
  if (!kernel) raise_no_kernel(op, DeviceType::CUDA);
  const CudaOp current(op);
  detail::KernelScope in_kernel;
  const bool for_cuda_alone = kernel != on_host.load(std::memory_order_relaxed) && !op.tags.has(kMovesEveryDType);
  if (const auto limited = for_cuda_alone ? limited_dtype(call) : std::nullopt) [[unlikely]]
    return run_wider(kernel, call, {*limited}, results...);
  try {
    kernel(call, results...);
  } catch (const NoKernelForDType& missing) {
    run_wider(kernel, call, missing, results...);
  }
}
}  // namespace

const OpEntry* running_cuda_op() { return t_cuda_op; }

void run_kernel(const OpEntry& op, std::span<const Value> args, std::span<Tensor> outputs, DeviceType device) {
  if (device == DeviceType::Meta) return;
  if (device == DeviceType::CUDA) [[unlikely]] {
    KernelCall call{op, args, outputs, rule_context()};
    return run_cuda_kernel(op, op.fill_kernels[static_cast<size_t>(device)],
                           op.fill_kernels[static_cast<size_t>(DeviceType::CPU)], call);
  }
  FillKernel kernel = op.fill_kernels[static_cast<size_t>(device)].load(std::memory_order_relaxed);
  if (!kernel) [[unlikely]]
    raise_no_kernel(op, device);
  KernelCall call{op, args, outputs, rule_context()};
  detail::KernelScope in_kernel;
  try {
    kernel(call);
  } catch (const NoKernelForDType& missing) {
    run_wider(kernel, call, missing);
  }
}

namespace {
/// Marks a kernel's results as inference tensors, unless they share a storage with an argument.
void mark_inference(std::span<const Value> args, std::span<const Value> results) {
  for_each_tensor(results, [&](TensorImpl* made) {
    bool given = false;
    for_each_tensor(args, [&](const TensorImpl* t) { given |= t->storage == made->storage; });
    if (!given) made->meta.inference = true;
  });
}
}  // namespace

void run_return_kernel(const OpEntry& op, std::span<const Value> args, DeviceType device, Values& results) {
  if (device == DeviceType::CUDA) [[unlikely]] {
    KernelCall call{op, args, {}, rule_context()};
    return run_cuda_kernel(op, op.return_kernels[static_cast<size_t>(device)],
                           op.return_kernels[static_cast<size_t>(DeviceType::CPU)], call, results);
  }
  ReturnKernel kernel = op.return_kernels[static_cast<size_t>(device)].load(std::memory_order_relaxed);
  if (!kernel) raise_no_kernel(op, device);
  KernelCall call{op, args, {}, rule_context()};
  detail::KernelScope in_kernel;
  const size_t first = results.size();
  try {
    kernel(call, results);
  } catch (const NoKernelForDType& missing) {
    run_wider(kernel, call, missing, results);
  }
  if (rule_context().inference_mode) [[unlikely]]
    mark_inference(args, std::span<const Value>(results.begin() + first, results.end()));
}

void prepare_writes(const OpEntry& op, std::span<const Value> args, const RuleResult& rule) {
  for (uint16_t i : op.written) {
    for_each_tensor(args.subspan(i, 1), [](TensorImpl* t) { t->storage->prepare_write(); });
  }
  for (TensorImpl* t : rule.also_written) t->storage->prepare_write();
}

void bump_written(const OpEntry& op, std::span<const Value> args, const RuleResult& rule) {
  if (op.tags.has(kKeepsVersion)) [[unlikely]]
    return;
  if (detail::t_kernel_depth > 0) return;  // a kernel's own call: the outer call increments the versions
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
    size_t length = outputs.size() - at - (returns - r - 1);  // the schema has at most one list of unknown length
    std::vector<Value> items;
    for (size_t i = 0; i < length; ++i) items.push_back(value_at(at++));
    results.emplace_back(Value::list(items));
  }
}

namespace {
template <class Kernels>
bool any_attached(const Kernels& kernels) {
  return kernels[0].load(std::memory_order_relaxed) || kernels[1].load(std::memory_order_relaxed);
}
}  // namespace

void RealCall::plan() {
  const bool can_return = any_attached(op_.return_kernels);
  const bool apart = can_return && op_.tags.has(Tag::Foreign);
  if (op_.rule && !apart) run_rule(op_, args_, rule_);
  choose_maker(can_return);
}

void RealCall::plan_as_answered() { choose_maker(any_attached(op_.return_kernels)); }

/// Chooses the ReturnKernel if the rule added no outputs, or if the op has no FillKernel.
void RealCall::choose_maker(bool can_return) {
  if (can_return && (rule_.outputs.empty() || !any_attached(op_.fill_kernels))) [[unlikely]] {
    maker_ = Maker::ReturnKernel;
  } else {
    maker_ = !op_.rule || needs_kernel(op_, rule_) ? Maker::FillKernel : Maker::Rule;
  }
}

DeviceType RealCall::device() const {
  SeenDevices devices(args_);
  if (maker_ != Maker::ReturnKernel) {
    for (const OutputSpec& o : rule_.outputs) {
      if (o.kind != OutputSpec::Kind::Number && o.kind != OutputSpec::Kind::None) devices.see(o.meta.device);
    }
  }
  return devices.of_kernel();
}

std::optional<DeviceType> RealCall::missing_kernel() const {
  if (maker_ == Maker::Rule) return std::nullopt;
  const DeviceType d = device();
  return d == DeviceType::Meta || op_.has_kernel(d) ? std::nullopt : std::optional(d);
}

void RealCall::begin() {
  if (!op_.rule && maker_ != Maker::ReturnKernel) [[unlikely]] {
    fail(ErrorKind::UnsupportedOperator, ErrorFamily::NotImplemented, "{} has neither a rule nor a kernel", op_.name);
  }
  if (maker_ != Maker::Rule) device_ = device();
  keep_inputs();
}

/// If a resized output is also an input (`out=x`), gives the kernel another tensor as that input. The other tensor has
/// the storage of `x`, and the metadata that `x` had before the resize.
void RealCall::keep_inputs() {
  if (maker_ != Maker::FillKernel) return;
  for (const OutputSpec& o : rule_.outputs) {
    if (!o.metadata_changed) continue;
    const auto is_written = [&](size_t i) {
      return std::find(op_.written.begin(), op_.written.end(), i) != op_.written.end();
    };
    const auto as_it_was = [&](const Value& v) {
      if (!v.is_tensor() || v.tensor_impl() != o.source) return v;
      return Value(Tensor(make_ref<TensorImpl>(TensorMeta(o.source->meta), o.source->storage, o.source->fake_mode)));
    };
    bool is_input = false;
    for (size_t i = 0; i < args_.size(); ++i) {
      if (is_written(i)) continue;
      for_each_tensor(args_.subspan(i, 1), [&](const TensorImpl* t) { is_input |= t == o.source; });
    }
    if (!is_input) continue;
    std::vector<Value> kept;
    for (size_t i = 0; i < args_.size(); ++i)
      kept.push_back(is_written(i) ? args_[i] : map_leaves(args_[i], as_it_was));
    kept_ = std::move(kept);
    args_ = kept_;
  }
}

void RealCall::allocate() {
  begin();
  if (maker_ == Maker::FillKernel) make_outputs(rule_, nullptr, outputs_);
}

void RealCall::allocate(const std::function<Ref<Storage>(int64_t, Device)>& make) {
  begin();
  if (maker_ == Maker::ReturnKernel) return;
  make_outputs(rule_, make, outputs_);
  allocated_ = true;
}

namespace {

/// Returns the arguments with bool tensors whose bytes are all 0 or 1. A tensor whose storage may have other bytes is
/// replaced by a copy. A written argument is not copied: its own bytes are changed.
std::vector<Value> with_plain_bools(const OpEntry& op, std::span<const Value> args) {
  std::vector<Value> plain;
  for (size_t i = 0; i < args.size(); ++i) {
    const bool written = std::find(op.written.begin(), op.written.end(), i) != op.written.end();
    plain.push_back(map_leaves(args[i], [&](const Value& v) {
      if (!v.is_tensor() || v.tensor().dtype() != DType::Bool || !has_loose_bools(*v.tensor().storage())) return v;
      const Tensor& t = v.tensor();
      TensorMeta bytes = t.meta();
      bytes.dtype = DType::U8;
      const Tensor to =
          written ? t : Tensor(TensorMeta(t.meta()), Storage::allocate(t.storage()->nbytes().as_int(), t.device()));
      copy_elements(to, Tensor(std::move(bytes), t.storage()));
      return Value(to);
    }));
  }
  return plain;
}

}  // namespace

void RealCall::run(Values& results) {
  if (maker_ != Maker::Rule && any_loose_bools()) [[unlikely]] {
    kept_ = with_plain_bools(op_, args_);
    args_ = kept_;
  }
  if (maker_ == Maker::FillKernel) {
    run_kernel(op_, args_, {outputs_.data(), outputs_.size()}, device_);
  } else if (maker_ == Maker::ReturnKernel) {
    run_return_kernel(op_, args_, device_, results);
  }
}

void RealCall::pack(Values& results) {
  bump_written(op_, args_, rule_);
  for (const OutputSpec& o : rule_.outputs) {
    if (o.kind == OutputSpec::Kind::View && o.meta.dtype == DType::Bool && o.source->meta.dtype != DType::Bool &&
        o.source->storage->has_bytes())
      mark_loose_bools(*o.source->storage);
  }
  if (maker_ == Maker::FillKernel || allocated_) return pack_results(op_, rule_, outputs_, results);
  if (maker_ == Maker::Rule) make_results(op_, rule_, nullptr, results);
}

void RealCall::run_all(Values& results) {
  allocate();
  if (maker_ != Maker::Rule) {
    prepare();
    run(results);
  }
  pack(results);
}

// A call takes nanoseconds, so all stages are inlined into this function.
[[gnu::flatten]] void run_real(const OpEntry& op, std::span<const Value> args, Values& results) {
  if (op.composite) return run_composite(op, args, results);
  RealCall call(op, args);
  call.plan();
  call.run_all(results);
}

}  // namespace ersatz
