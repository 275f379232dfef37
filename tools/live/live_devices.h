// Metadata-only devices (runtime/base/other_devices.h) of the tensors of a live run: `xpu`, `npu`, `privateuseone`.
//
// Each run has its own choice of rules and layouts (`--device xpu=cpu|cuda|FILE`) and its own list of seen devices. A
// Scope applies both to its thread.
#pragma once

#include <optional>
#include <string>

#include "runtime/base/other_devices.h"
#include "runtime/op/device_layouts.h"
#include "tools/answer/run_options.h"

namespace ersatz::tools {

class LiveDevices {
 public:
  /// `choice`: as for `--device`; empty: all devices use the rules of CUDA. RAISES InvalidArgument if it chooses no
  /// rules.
  explicit LiveDevices(const std::string& choice);

  class Scope {
   public:
    explicit Scope(const LiveDevices& of);

   private:
    const OtherDevicesScope devices_;
    std::optional<DeviceLayoutsGuard> layouts_;
  };

  /// The device with PyTorch's name `name`; a negative number means device 0. `is_free`: the name is that of
  /// privateuseone, which a backend may have renamed. nullopt if ersatz does not know the device.
  std::optional<Device> find(const std::string& name, int number, bool is_free) const;

  /// `device_rules` and `device_layouts` of a report as one JSON object.
  std::string json() const;

 private:
  mutable OtherDevices devices_;
  std::optional<DeviceChoice> choice_;
};

}  // namespace ersatz::tools
