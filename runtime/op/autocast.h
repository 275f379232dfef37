// Autocast: in its scope, ops that gain from a narrow dtype run in it, and ops that need precision run in f32.
//
//   AutocastScope scope(DeviceType::CPU, true, DType::BF16);
//
// An op's tag says of which kind it is (kernels/autocast.def). Only f16, bf16 and f32 tensors on the scope's device
// are converted; everything else, f64 included, passes as it is. The mode is outside of fake and crosscheck modes
// (runtime/op/mode.h), so conversions are calls like any other. Parts of an op that was converted are not converted
// again; those of a composite that has no kind of its own are. Source: ATen's autocast lists for the CPU. One thread.
#pragma once

#include <optional>

#include "runtime/op/mode.h"

namespace ersatz {

/// Runs in the scope's dtype: matrix products, convolutions, attention.
inline constexpr Tag kAutocastNarrow = static_cast<Tag>(1u << 17);
/// Runs in f32: losses, products, interpolations.
inline constexpr Tag kAutocastWide = static_cast<Tag>(1u << 18);
/// Runs in the widest dtype of its tensors: joins.
inline constexpr Tag kAutocastPromote = static_cast<Tag>(1u << 19);
/// The op returns its first argument in the dtype that its second argument names; further arguments have defaults.
inline constexpr Tag kCastTag = static_cast<Tag>(1u << 20);

class AutocastMode final : public Mode {
 public:
  ModeOrder order() const override { return ModeOrder::Autocast; }
  std::string_view mode_name() const override { return "autocast"; }
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override;
};

/// Autocast on one device until the end of the scope; `enabled` false suspends an outer one there. Without a dtype the
/// current one of the context (bf16 at first) stays. NotSupported for devices other than the CPU.
class AutocastScope {
 public:
  AutocastScope(DeviceType device, bool enabled, std::optional<DType> dtype = {});

 private:
  ContextGuard context_;
  AutocastMode mode_;
  ModeGuard guard_;
};

}  // namespace ersatz
