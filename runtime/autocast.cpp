#include "runtime/autocast.h"

#include "runtime/composite.h"
#include "runtime/dispatch.h"
#include "runtime/type_promotion.h"

namespace ersatz {
namespace {

const OpEntry& cast_op() {
  static const OpEntry& found = []() -> const OpEntry& {
    for (const OpEntry* op : registry().all()) {
      if (op->tags.has(kCastTag)) return *op;
    }
    fail(ErrorKind::InternalError, ErrorFamily::Runtime, "no operator has kCastTag");
  }();
  return found;
}

bool is_active_for(const Value& v) {
  if (!v.is_tensor()) return false;
  const TensorMeta& t = v.tensor_impl()->meta;
  const bool converts = t.dtype == DType::F16 || t.dtype == DType::BF16 || t.dtype == DType::F32;
  return converts && (rule_context().autocast >> static_cast<int>(t.device.type) & 1);
}

template <class F>
void for_each_active(std::span<const Value> args, F&& f) {
  for (const Value& v : args) {
    if (is_active_for(v)) {
      f(v.tensor_impl()->meta.dtype);
    } else if (v.kind() == Value::Kind::List) {
      for_each_active(v.as_list(), f);
    }
  }
}

Value converted(const Value& v, DType to) {
  if (is_active_for(v) && v.tensor_impl()->meta.dtype != to) return call(cast_op(), {{v.borrowed(), Value(to)}})[0];
  if (v.kind() != Value::Kind::List) return v;
  std::vector<Value> items;
  for (const Value& item : v.as_list()) items.push_back(converted(item, to));
  return Value::list(items);
}

}  // namespace

void AutocastMode::call(const OpEntry& op, std::span<const Value> args, Values& results) {
  const bool narrow = op.tags.has(kAutocastNarrow), promote = op.tags.has(kAutocastPromote);
  if (!narrow && !promote && !op.tags.has(kAutocastWide)) {
    if (!op.composite) return dispatch(op, args, results);
    ModeGuard guard(*this);
    return run_composite(op, args, results);
  }
  DType to = narrow || promote ? rule_context().autocast_dtype : DType::F32;
  bool any = false;
  for_each_active(args, [&](DType t) {
    any = true;
    if (promote && t != to) to = DType::F32;
  });
  if (!any) return dispatch(op, args, results);
  std::vector<Value> cast;
  for (const Value& v : args) cast.push_back(converted(v, to));
  dispatch(op, cast, results);
}

AutocastScope::AutocastScope(DeviceType device, bool enabled, std::optional<DType> dtype)
    : context_([&](RuleContext& c) {
        if (device != DeviceType::CPU) {
          fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "autocast is known for cpu, not for {}",
               name(device));
        }
        const uint8_t bit = static_cast<uint8_t>(1u << static_cast<int>(device));
        c.autocast = static_cast<uint8_t>(enabled ? c.autocast | bit : c.autocast & ~bit);
        if (dtype) c.autocast_dtype = *dtype;
      }),
      guard_(mode_) {}

}  // namespace ersatz
