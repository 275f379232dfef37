#include "runtime/op/autocast.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/op/autocast_cache.h"
#include "runtime/op/autograd_entry.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/tagged_op.h"

namespace ersatz {
namespace {

bool is_on(DeviceType d) { return rule_context().autocast >> static_cast<int>(d) & 1; }

DType narrow_dtype(DeviceType d) {
  return d == DeviceType::CUDA ? rule_context().autocast_dtype_cuda : rule_context().autocast_dtype_cpu;
}

/// The converted weights of this thread. A ConvertedWeight owns its weight, so that no other tensor gets the weight's
/// address, which is the key.
struct ConvertedWeight {
  Tensor weight, converted;
};
thread_local std::unordered_map<const TensorImpl*, ConvertedWeight> t_weights;
thread_local constinit int t_depth = 0;
thread_local constinit bool t_keeps = true;

bool is_kept(const Tensor& t, DType to) {
  return t_keeps && t_depth > 0 && t.dtype() == DType::F32 && to != DType::F32 && !rule_context().inference_mode &&
         autograd_sees_parameter(t);
}

Tensor converted(const Tensor& t, DeviceType device, DType to) {
  static const OpEntry& cast = op_with_tag(kCastTag, "casts");
  if (!autocast_converts(t.meta(), device) || t.dtype() == to) return t;
  const bool kept = is_kept(t, to);
  if (kept) {
    if (const auto found = t_weights.find(t.impl()); found != t_weights.end()) return found->second.converted;
  }
  const Value args[] = {t, Value(to)};
  Tensor made = call(cast, args)[0].take_tensor();
  if (kept) t_weights.emplace(t.impl(), ConvertedWeight{t, made});
  return made;
}

/// Returns the device whose autocast applies to the call: CUDA if autocast is on there and a tensor is on CUDA, else
/// the CPU. Returns Meta if autocast applies on no device of the call.
DeviceType autocast_device(std::span<const Value> args) {
  DeviceType found = DeviceType::Meta;
  for_each_tensor(args, [&](const TensorImpl* t) {
    const DeviceType d = t->meta.device.type;
    if (is_on(d) && found != DeviceType::CUDA) found = d;
  });
  return found;
}

/// Makes the call. Adds `dtype=f32` if autocast_converts() is true for the first argument and the call has no dtype.
void call_with_wide_result(const OpEntry& op, std::span<const Value> args, DeviceType device, Values& results) {
  if (args.empty() || !args[0].is_tensor() || !autocast_converts(args[0].tensor_impl()->meta, device))
    return dispatch(op, args, results);
  std::vector<Value> with_dtype(args.begin(), args.end());
  if (op.autocast.wide_form) {
    with_dtype.emplace_back(DType::F32);
    return dispatch(*op.autocast.wide_form, with_dtype, results);
  }
  const auto& formals = op.schema.arguments;
  const auto at = std::find_if(formals.begin(), formals.end(), [](const Argument& a) { return a.name == "dtype"; });
  if (at != formals.end()) {
    Value& dtype = with_dtype[static_cast<size_t>(at - formals.begin())];
    if (dtype.is_none()) dtype = Value(DType::F32);
  }
  dispatch(op, with_dtype, results);
}

}  // namespace

bool autocast_converts(const TensorMeta& t, DeviceType device) {
  return t.device.type == device && (t.dtype == DType::F16 || t.dtype == DType::BF16 || t.dtype == DType::F32);
}

AutocastChange autocast_change(const OpEntry& op, DeviceType device, DType narrow,
                               std::span<const TensorMeta* const> tensors) {
  switch (op.autocast.on(device)) {
    case AutocastKind::None:
      return {};
    case AutocastKind::Narrow:
      return {narrow, false};
    case AutocastKind::Wide:
      return {DType::F32, false};
    case AutocastKind::WideResult:
      return {std::nullopt, true};
    case AutocastKind::Promote: {
      const bool wide = std::any_of(tensors.begin(), tensors.end(), [&](const TensorMeta* t) {
        return autocast_converts(*t, device) && t->dtype != narrow;
      });
      return {wide ? DType::F32 : narrow, false};
    }
    case AutocastKind::Refused:
      break;
  }
  fail(ErrorKind::InvalidArgument, ErrorFamily::Runtime,
       "{}: under autocast its result may not fit a narrow dtype: call its form that takes logits, or leave autocast "
       "on {} for it",
       op.base(), name(device));
}

void AutocastMode::call(const OpEntry& op, std::span<const Value> args, Values& results) {
  const DeviceType device = autocast_device(args);
  const AutocastKind kind = device == DeviceType::Meta ? AutocastKind::None : op.autocast.on(device);
  if (kind == AutocastKind::None) {
    if (!op.composite || autograd_keeps_whole(op, args)) return dispatch(op, args, results);
    ModeGuard guard(*this);
    return run_composite(op, args, results);
  }
  std::vector<const TensorMeta*> tensors;
  if (kind == AutocastKind::Promote) for_each_tensor(args, [&](const TensorImpl* t) { tensors.push_back(&t->meta); });
  const AutocastChange change = autocast_change(op, device, narrow_dtype(device), tensors);
  if (change.wide_result) return call_with_wide_result(op, args, device, results);
  const DType to = *change.operands;
  // ATen converts the last argument first. A trace shows that order, so it is kept here.
  std::vector<Value> cast(args.begin(), args.end());
  for (auto v = cast.rbegin(); v != cast.rend(); ++v) {
    *v = map_leaves(*v, [&](const Value& x) { return x.is_tensor() ? Value(converted(x.tensor(), device, to)) : x; });
  }
  dispatch(op, cast, results);
}

NoAutocastCache::NoAutocastCache() : kept_before_(std::exchange(t_keeps, false)) {}
NoAutocastCache::~NoAutocastCache() { t_keeps = kept_before_; }

AutocastScope::Depth::Depth(bool cache) : kept_before(t_keeps) {
  t_keeps = t_keeps && cache;
  ++t_depth;
}
AutocastScope::Depth::~Depth() {
  t_keeps = kept_before;
  if (--t_depth == 0) t_weights.clear();
}

AutocastScope::AutocastScope(DeviceType device, bool enabled, std::optional<DType> dtype, bool cache)
    : depth_(cache),
      context_([&](RuleContext& c) {
        if (device == DeviceType::Meta) {
          fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "autocast is known for cpu and cuda, not for {}",
               name(device));
        }
        const uint8_t bit = static_cast<uint8_t>(1u << static_cast<int>(device));
        c.autocast = static_cast<uint8_t>(enabled ? c.autocast | bit : c.autocast & ~bit);
        if (dtype) (device == DeviceType::CUDA ? c.autocast_dtype_cuda : c.autocast_dtype_cpu) = *dtype;
      }),
      guard_(mode_) {}

}  // namespace ersatz
