// Devices that ersatz has neither memory nor kernels for: `xpu`, `npu`, `mps`, `musa`, `mtia`, `hpu`, `privateuseone`.
// They are devices of metadata: tensors on them are parsed, printed, and answered by rules.
//
// PyTorch's rules for the CPU and for CUDA differ in strides and in what is refused. A device of these names goes by
// one of both: its `Device::type` says which, CUDA unless a process says otherwise. Its `Device::index` tells it from
// others of that type: it is at least `kFirstOtherIndex`. There are 8 devices of each name.
#pragma once

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "runtime/base/device.h"

namespace ersatz {

inline constexpr int kFirstOtherIndex = 64;
inline constexpr int kOtherDeviceNames = 7, kDevicesOfAName = 8;
inline constexpr int kEndOfOtherIndices = kFirstOtherIndex + kOtherDeviceNames * kDevicesOfAName;

constexpr bool is_other(Device d) { return d.index >= kFirstOtherIndex; }
/// `xpu` of `xpu:1`, `cuda` of `cuda:0`.
std::string_view device_name(Device d);
/// 1 of `xpu:1` and of `cuda:1`. REQUIRES: a device whose index is resolved.
int device_number(Device d);
/// `xpu:0` of `xpu:1`, `cuda:0` of `cuda:1`.
Device first_of_its_name(Device d);

/// Of each name: whose rules its devices go by, and whether one was parsed. Thread-safe.
class OtherDevices {
 private:
  friend struct OtherDevicesAccess;
  struct State {
    std::atomic<DeviceType> rules = DeviceType::CUDA;
    std::atomic<bool> seen = false;
  };
  std::array<State, kOtherDeviceNames> of_names_;
};

/// While it lives, this thread chooses and parses by these. Without a scope a thread does so by those of the process.
class OtherDevicesScope {
 public:
  explicit OtherDevicesScope(OtherDevices& devices);
  ~OtherDevicesScope();
  OtherDevicesScope(const OtherDevicesScope&) = delete;
  OtherDevicesScope& operator=(const OtherDevicesScope&) = delete;

 private:
  OtherDevices* const saved_;
};

/// Devices of that name go by these rules from now on; call it before anything is parsed on one. False: no such name.
bool set_device_rules(std::string_view name, DeviceType rules);

struct OtherDevice {
  std::string_view name;
  DeviceType rules;
};
/// Those that were parsed, each name once.
std::vector<OtherDevice> other_devices_seen();
/// Forgets which were parsed, and that any goes by other rules than CUDA's.
void reset_other_devices();
/// `xpu, npu, ...`: all names.
std::string other_device_names();

}  // namespace ersatz
