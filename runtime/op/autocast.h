// Autocast: in its scope, ops that gain from a narrow dtype run in it, and ops that need precision run in f32.
//
//   AutocastScope scope(DeviceType::CUDA, true, DType::BF16);
//
// The op's entry has an AutocastKind for each device (kernels/autocast.def). Only f16, bf16 and f32 tensors on the
// scope's device are converted; all other tensors, f64 included, are passed on unchanged. A fake counts as a tensor of
// the device in its metadata. AutocastMode is outside of fake and crosscheck modes (runtime/op/mode.h), so conversions
// are ordinary calls. If an op was converted, the calls of its parts are not converted again. If a composite has no
// AutocastKind, the calls of its parts are converted. A mode belongs to one thread. Source: ATen's autocast lists.
//
// A weight is converted once: an f32 leaf that requires a gradient, is no view and is converted to a narrow dtype
// outside of inference mode. Until the thread's outermost AutocastScope ends, later calls take the converted tensor, so
// its gradients are summed in the narrow dtype. Later calls do not see a write into the weight, another dtype of an
// inner scope, or that gradients were off when the weight was converted. PyTorch does the same.
#pragma once

#include <optional>

#include "runtime/op/mode.h"

namespace ersatz {

/// The op returns its first argument in the dtype that its second argument names; further arguments have defaults.
inline constexpr Tag kCastTag = static_cast<Tag>(1u << 20);

/// Is `t` on that device and of a dtype that autocast converts?
bool autocast_converts(const TensorMeta& t, DeviceType device);

/// The conversions that autocast makes for one call of an op.
struct AutocastChange {
  std::optional<DType> operands;  ///< the dtype to convert to; applies to tensors for which autocast_converts() is true
  bool wide_result = false;       ///< the result is f32, unless the call names a dtype
};
/// `narrow` is the scope's dtype, `tensors` are those among the arguments. InvalidArgument where the op is refused.
AutocastChange autocast_change(const OpEntry& op, DeviceType device, DType narrow,
                               std::span<const TensorMeta* const> tensors);

class AutocastMode final : public Mode {
 public:
  ModeOrder order() const override { return ModeOrder::Autocast; }
  std::string_view mode_name() const override { return "autocast"; }
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override;
};

/// Autocast on one device until the end of the scope; `enabled` false suspends an outer one there. Without a dtype the
/// current one of the context stays, at first bf16 on the CPU and f16 on CUDA. With `cache` false, weights are
/// converted in each call. NotSupported for meta.
class AutocastScope {
 public:
  AutocastScope(DeviceType device, bool enabled, std::optional<DType> dtype = {}, bool cache = true);

 private:
  /// Counts the scopes of the thread: the outermost one frees the converted weights.
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
