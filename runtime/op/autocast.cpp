#include "runtime/op/autocast.h"

#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/tagged_op.h"

namespace ersatz {
namespace {

bool is_active_for(const TensorMeta& t) {
  const bool converts = t.dtype == DType::F16 || t.dtype == DType::BF16 || t.dtype == DType::F32;
  return converts && (rule_context().autocast >> static_cast<int>(t.device.type) & 1);
}

Tensor converted(const Tensor& t, DType to) {
  static const OpEntry& cast = op_with_tag(kCastTag, "casts");
  if (!is_active_for(t.meta()) || t.dtype() == to) return t;
  const Value args[] = {t, Value(to)};
  return call(cast, args)[0].take_tensor();
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
  for_each_tensor(args, [&](const TensorImpl* t) {
    if (!is_active_for(t->meta)) return;
    any = true;
    if (promote && t->meta.dtype != to) to = DType::F32;
  });
  if (!any) return dispatch(op, args, results);
  dispatch(op, map_tensors(args, [to](const Tensor& t) { return converted(t, to); }), results);
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
