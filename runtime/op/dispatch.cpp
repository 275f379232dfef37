#include "runtime/op/dispatch.h"

#include "runtime/base/log.h"
#include "runtime/base/source_line.h"
#include "runtime/base/suggestion.h"
#include "runtime/op/autograd_entry.h"
#include "runtime/op/composite_body.h"
#include "runtime/op/cpu_kernel_tag.h"
#include "runtime/op/device_layouts.h"
#include "runtime/op/kernel_search.h"
#include "runtime/op/may_view_tag.h"
#include "runtime/op/mode.h"
#include "runtime/op/value_checks.h"
#include "runtime/tensor/fake_owner.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

using detail::t_outermost_mode;

detail::RecordCall detail::g_record_call = nullptr;
detail::KeepsWhole detail::g_keeps_whole = nullptr;
detail::IsLeaf detail::g_is_parameter = nullptr;

namespace {

/// While a mode's handler runs, only the mode of `inner` and the modes inside of it are active.
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

/// Finds the device that all tensors of a call share. A 0-d CPU tensor is accepted with tensors of another device if
/// its argument is CpuScalarOk.
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
  bool yields_ = false;  // only 0-d CPU tensors were seen so far, so a tensor on another device replaces `common_`
};

}  // namespace

namespace {

void call_mode(ModeGuard* outermost, const OpEntry& op, std::span<const Value> args, Values& results) {
  HandlerScope scope(outermost->inner());
  outermost->mode().call(op, args, results);
}

void dispatch_below_autograd(const OpEntry& op, std::span<const Value> args, Values& results) {
  if (ModeGuard* outermost = t_outermost_mode) return call_mode(outermost, op, args, results);
  if (FakeOwner* owner = fake_owner(args)) {
    Ref<FakeOwner> alive(owner);
    return owner->call_owned(op, args, results);
  }
  run_real(op, args, results);
}

/// May the call make a view, or does one of its tensors have autograd state (requires_grad, an inference tensor,
/// AutogradMeta)?
bool concerns_autograd(const OpEntry& op, std::span<const Value> args) {
  if (op.tags.has(kMayViewTag)) return true;
  for (const Value& v : args) {
    if (v.is_tensor()) {
      const TensorImpl* t = v.tensor_impl();
      if (t->meta.requires_grad || t->meta.inference || t->autograd) return true;
    } else if (v.kind() == Value::Kind::List) {
      if (concerns_autograd(op, v.as_list())) return true;
    }
  }
  return false;
}

}  // namespace

void dispatch(const OpEntry& op, std::span<const Value> args, Values& results) try {
  ModeGuard* const outermost = t_outermost_mode;
  if (outermost && outermost->order() > ModeOrder::Autograd) return call_mode(outermost, op, args, results);
  if (!detail::t_autograd_excluded && concerns_autograd(op, args)) {
    return detail::g_record_call(op, args, results, dispatch_below_autograd);
  }
  dispatch_below_autograd(op, args, results);
} catch (const DeferredError&) {  // another, earlier call caused this error
  throw;
} catch (Error& e) {  // in nested calls, the innermost call has set `op` already
  if (e.op.empty()) e.op = op.base();
  describe_error(e, args);
  throw;
}

Values dispatch(const OpEntry& op, std::span<const Value> args) {
  Values results;
  dispatch(op, args, results);
  return results;
}

Tensor dispatch_for_tensor(const OpEntry& op, std::span<const Value> args) {
  Values results;
  dispatch(op, args, results);
  return results[0].take_tensor();
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
/// Raises an error of class Type if a call has a number where its rule needs a tensor. Called only after the rule has
/// failed, because rules do not check the kinds of arguments again.
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

/// Marks fresh results as inference tensors. A view has the flag of its base.
void mark_inference(RuleResult& result) {
  for (OutputSpec& o : result.outputs) {
    if (o.kind == OutputSpec::Kind::Fresh) o.meta.inference = true;
  }
}
}  // namespace

namespace {
/// Does the dtype come after the common dtypes (kAllDTypes) in the enum?
bool is_limited(DType t) { return static_cast<int>(t) >= kCommonDTypeCount; }

bool holds_limited_dtype(std::span<const Value> args, const RuleResult& result) {
  for (const OutputSpec& o : result.outputs) {
    if (is_limited(o.meta.dtype)) return true;
  }
  bool any = false;
  for (const Value& v : args) {
    if (v.is_tensor()) {
      any |= is_limited(v.tensor_impl()->meta.dtype);
    } else if (v.kind() == Value::Kind::List) {
      for_each_tensor(v.as_list(), [&](const TensorImpl* t) { any |= is_limited(t->meta.dtype); });
    }
  }
  return any;
}
}  // namespace

void name_missing_kernel(const OpEntry& op, std::span<const Value> args, Error& e) {
  if (!op.tags.has(kNoCpuKernel) || e.kind != ErrorKind::InvalidArgument) return;
  bool on_cpu = true;
  for_each_tensor(args, [&](const TensorImpl* t) { on_cpu &= t->meta.device.is_cpu(); });
  if (on_cpu) e.family = ErrorFamily::NotImplemented;
}

namespace {
/// Searches for the first tensor that has dims or is not on the CPU. If there is one, stores its device in `found` and
/// returns true. Otherwise returns false; `found` is then the first tensor's device, and `any` is true if there is a
/// tensor.
bool find_device(std::span<const Value> args, Device& found, bool& any) {
  for (const Value& v : args) {
    if (v.is_tensor()) {
      const TensorMeta& t = v.tensor_impl()->meta;
      const bool decides = t.dim() > 0 || !t.device.is_cpu();
      if (decides || !any) found = t.device;
      if (decides) return true;
      any = true;
    } else if (v.kind() == Value::Kind::List) {
      if (find_device(v.as_list(), found, any)) return true;
    }
  }
  return false;
}
}  // namespace

Device device_of_call(std::span<const Value> args, Device without_tensors) {
  bool any = false;
  find_device(args, without_tensors, any);
  return without_tensors;
}

void run_body(const OpEntry& op, CompositeCall& call) {
  call.device = device_of_call(call.args, call.context.default_device);
  try {
    op.composite(call);
  } catch (Error& e) {
    name_missing_kernel(op, call.args, e);
    put_in_order(op, call.args, e);
    throw;
  }
}

void run_composite(const OpEntry& op, std::span<const Value> args, Values& results) {
  CompositeCall call(op, args, results);
  run_body(op, call);
}

void run_rule(const OpEntry& op, std::span<const Value> args, RuleResult& result) {
  const RuleContext& context = rule_context();
  try {
    Device device = CommonDevice(op, args).find(context.default_device);
    RuleCall call{op, args, context, device, result};
    op.rule(call);
    if (holds_limited_dtype(args, result)) [[unlikely]]
      call.require_limited_dtypes();
    if (context.inference_mode) [[unlikely]]
      mark_inference(result);
    if (const DeviceLayouts* layouts = device_layouts()) [[unlikely]]
      lay_out_as_recorded(*layouts, call);
  } catch (Error& e) {
    if (e.kind == ErrorKind::InternalError) refuse_numbers_for_tensors(op, args);
    name_missing_kernel(op, args, e);
    if (e.kind != ErrorKind::InternalError) put_in_order(op, args, e);
    describe_error(e, args);
    log().debug("{} raised {}: {}", op.name, name(e.kind), e.message);
    throw;
  }
}

}  // namespace ersatz
