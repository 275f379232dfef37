// Autocast: in its scope, ops that gain from a narrow dtype run in it, and ops that need precision run in f32.
//
//   AutocastScope scope(DeviceType::CUDA, true, DType::BF16);
//
// An op's entry says what happens to it on a device (AutocastKind, kernels/autocast.def). Only f16, bf16 and f32
// tensors on the scope's device are converted; everything else, f64 included, passes as it is. The device of a fake is
// the one that it stands for. The mode is outside of fake and crosscheck modes (runtime/op/mode.h), so conversions are
// calls like any other. Parts of an op that was converted are not converted again; those of a composite that autocast
// does not know are. Nothing is kept between calls, converted weights neither. One thread.
// Source: ATen's autocast lists.
#pragma once

#include <optional>

#include "runtime/op/mode.h"

namespace ersatz {

/// The op returns its first argument in the dtype that its second argument names; further arguments have defaults.
inline constexpr Tag kCastTag = static_cast<Tag>(1u << 20);

/// Is the tensor one that autocast on that device converts?
bool autocast_converts(const TensorMeta& t, DeviceType device);

/// What autocast does to a call of an op before it runs.
struct AutocastChange {
  std::optional<DType> operands;  ///< the dtype that tensors are converted to, where autocast_converts()
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
/// current one of the context stays, at first bf16 on the CPU and f16 on CUDA. NotSupported for meta.
class AutocastScope {
 public:
  AutocastScope(DeviceType device, bool enabled, std::optional<DType> dtype = {});

 private:
  ContextGuard context_;
  AutocastMode mode_;
  ModeGuard guard_;
};

}  // namespace ersatz
