// Autocast. Inside an AutocastScope, ops for which a narrow dtype is faster compute in that dtype, and ops that need
// precision compute in f32.
//
//   AutocastScope scope(DeviceType::CUDA, true, DType::BF16);
//
// Each op's entry has an AutocastKind for each device (kernels/autocast.def). Autocast converts only f16, bf16 and f32
// tensors on the scope's device. All other tensors, f64 included, are passed on unchanged. A fake tensor counts as a
// tensor of the device in its metadata. AutocastMode is outside of fake and crosscheck modes (runtime/op/mode.h), so
// these modes see the conversions as ordinary calls. If autocast converted a call's arguments, it does not convert the
// arguments of calls that the op makes. If a composite op has no AutocastKind, autocast converts the calls that the
// composite makes. An AutocastMode belongs to one thread. Source: ATen's autocast lists.
//
// Autocast converts each weight once. A weight is an f32 leaf tensor that requires a gradient, is no view, and is
// converted to a narrow dtype outside of inference mode. Until the thread's outermost AutocastScope ends, later calls
// use the converted tensor, so gradients of the weight are summed in the narrow dtype. Later calls therefore do not
// notice a write into the weight, another dtype of an inner scope, or that gradients were off when the weight was
// converted. PyTorch's autocast has the same cache with the same effects.
#pragma once

#include <optional>

#include "runtime/op/mode.h"

namespace ersatz {

/// The op returns its first argument converted to a dtype. The dtype is its second argument; all further arguments have
/// defaults.
inline constexpr Tag kCastTag = static_cast<Tag>(1u << 20);

/// Is `t` on `device`, and of a dtype that autocast converts (f16, bf16 or f32)?
bool autocast_converts(const TensorMeta& t, DeviceType device);

/// The conversions that autocast makes for one call of an op.
struct AutocastChange {
  std::optional<DType> operands;  ///< the dtype to convert to; applies to tensors for which autocast_converts() is true
  bool wide_result = false;       ///< the result is f32, unless the call names a dtype
};
/// `narrow` is the scope's dtype. `tensors` are the call's tensor arguments. Raises InvalidArgument if the op's
/// AutocastKind is Refused.
AutocastChange autocast_change(const OpEntry& op, DeviceType device, DType narrow,
                               std::span<const TensorMeta* const> tensors);

class AutocastMode final : public Mode {
 public:
  ModeOrder order() const override { return ModeOrder::Autocast; }
  std::string_view mode_name() const override { return "autocast"; }
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override;
};

/// Switches autocast for one device on or off (`enabled`) until the end of the scope; false suspends an outer scope for
/// that device. Without `dtype`, the scope keeps the thread's current autocast dtype of the device, initially bf16 on
/// the CPU and f16 on CUDA. If `cache` is false, each call converts its weights anew. Raises NotSupported for the meta
/// device.
class AutocastScope {
 public:
  AutocastScope(DeviceType device, bool enabled, std::optional<DType> dtype = {}, bool cache = true);

 private:
  /// Counts the AutocastScopes of the thread, because the end of the outermost scope frees the converted weights.
  struct Depth {
    explicit Depth(bool cache);
    ~Depth();
    bool kept_before;
  };
  Depth depth_;
  ContextGuard context_;
  AutocastMode mode_;
  ModeGuard guard_;
};

}  // namespace ersatz
