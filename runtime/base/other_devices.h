// Devices that ersatz has neither memory nor kernels for: `xpu`, `npu`, `mps`, `musa`, `mtia`, `hpu`, `privateuseone`.
// They are metadata-only: tensors on them can be parsed, printed, and predicted by rules.
//
// PyTorch's rules for the CPU and for CUDA differ in strides and in errors. A device of these names uses the rules of
// one of both: `Device::type` is that one, CUDA unless the process sets another. Its `Device::index` is at least
// `kFirstOtherIndex` and distinguishes it from other devices of that type. Each name has 8 devices.
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
/// The name without the index: `xpu` for `xpu:1`, `cuda` for `cuda:0`.
std::string_view device_name(Device d);
/// The index in the device's name: 1 for `xpu:1` and for `cuda:1`. REQUIRES: a device with a resolved index.
int device_number(Device d);
/// The device 0 of the same name: `xpu:0` for `xpu:1`, `cuda:0` for `cuda:1`.
Device first_of_its_name(Device d);

/// For each name: the rules that its devices use, and whether a device was parsed. Thread-safe.
class OtherDevices {
 private:
  friend struct OtherDevicesAccess;
  struct State {
    std::atomic<DeviceType> rules = DeviceType::CUDA;
    std::atomic<bool> seen = false;
  };
  std::array<State, kOtherDeviceNames> of_names_;
};

/// While it lives, this thread uses its own OtherDevices. Without a scope a thread uses the process's.
class OtherDevicesScope {
 public:
  explicit OtherDevicesScope(OtherDevices& devices);
  ~OtherDevicesScope();
  OtherDevicesScope(const OtherDevicesScope&) = delete;
  OtherDevicesScope& operator=(const OtherDevicesScope&) = delete;

 private:
  OtherDevices* const saved_;
};

/// Sets the rules of the devices of that name. Call it before any of them is parsed. Returns false if the name is
/// unknown.
bool set_device_rules(std::string_view name, DeviceType rules);

struct OtherDevice {
  std::string_view name;
  DeviceType rules;
};
/// The devices that were parsed, each name once.
std::vector<OtherDevice> other_devices_seen();
/// Forgets the parsed devices and resets the rules of all names to CUDA's.
void reset_other_devices();
/// `xpu, npu, ...`: all names.
std::string other_device_names();

}  // namespace ersatz
