// Metadata-only devices (runtime/base/other_devices.h) in a live run: `xpu`, `npu`, `privateuseone`.
//
// Each run has its own choice of rules and layouts (`--device xpu=cpu|cuda|FILE`), and its own list of the devices that
// occurred. While a Scope exists, the choice and the list of its run are used by its thread.
#pragma once

#include <optional>
#include <string>

#include "runtime/base/other_devices.h"
#include "runtime/op/device_layouts.h"
#include "tools/answer/run_options.h"

namespace ersatz::tools {

class LiveDevices {
 public:
  /// `choice` is a value of `--device`; if it is empty, all devices use the rules of CUDA. RAISES InvalidArgument if it
  /// chooses no rules.
  explicit LiveDevices(const std::string& choice);

  class Scope {
   public:
    explicit Scope(const LiveDevices& of);

   private:
    const OtherDevicesScope devices_;
    std::optional<DeviceLayoutsGuard> layouts_;
  };

  /// Finds the device that PyTorch calls `name`. A negative number means device 0. `is_free`: the name belongs to
  /// privateuseone, which a backend may have renamed. nullopt if ersatz does not know the device.
  std::optional<Device> find(const std::string& name, int number, bool is_free) const;

  /// Returns `device_rules` and `device_layouts` of a report in one JSON object.
  std::string json() const;

 private:
  mutable OtherDevices devices_;
  std::optional<DeviceChoice> choice_;
};

}  // namespace ersatz::tools
