// Devices of metadata (runtime/base/other_devices.h) that a live run has tensors on: `xpu`, `npu`, `privateuseone`.
//
// Each run has its own choice of rules and layouts (`--device xpu=cpu|cuda|FILE`), and its own list of those that it
// met. Both are in force on a thread while a Scope lives there.
#pragma once

#include <optional>
#include <string>

#include "runtime/base/other_devices.h"
#include "runtime/op/device_layouts.h"
#include "tools/answer/run_options.h"

namespace ersatz::tools {

class LiveDevices {
 public:
  /// `choice`: as `--device` has it; empty: all go by the rules of CUDA. InvalidArgument where it chooses no rules.
  explicit LiveDevices(const std::string& choice);

  class Scope {
   public:
    explicit Scope(const LiveDevices& of);

   private:
    const OtherDevicesScope devices_;
    std::optional<DeviceLayoutsGuard> layouts_;
  };

  /// The device with the name that PyTorch has for it; a number below 0 is the first one's. `is_free`: it is
  /// PyTorch's free device, privateuseone, which a backend may have given another name. Empty: ersatz has none such.
  std::optional<Device> find(const std::string& name, int number, bool is_free) const;

  /// `device_rules` and `device_layouts` of a report, as one JSON object.
  std::string json() const;

 private:
  mutable OtherDevices devices_;
  std::optional<DeviceChoice> choice_;
};

}  // namespace ersatz::tools
