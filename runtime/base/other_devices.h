// Devices that ersatz has neither memory nor kernels for: `xpu`, `npu`, `mps`, `musa`, `mtia`, `hpu`, `privateuseone`.
// A tensor on one of them has metadata only. It can be parsed and printed, and rules can predict it.
//
// PyTorch's results on the CPU and on CUDA differ in strides and in errors, so each of these names uses the rules of
// the CPU or of CUDA. `Device::type` is the type whose rules are used: CUDA unless set_device_rules was called.
// `Device::index` is at least `kFirstOtherIndex` and encodes the name and the number. Each name has 8 devices.
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
/// Returns the name without the index: `xpu` for `xpu:1`, `cuda` for `cuda:0`.
std::string_view device_name(Device d);
/// Returns the index in the device's name: 1 for `xpu:1` and for `cuda:1`. REQUIRES: a device with a resolved index.
int device_number(Device d);
/// Returns device 0 of the name of `d`: `xpu:0` for `xpu:1`, `cuda:0` for `cuda:1`.
Device first_of_its_name(Device d);

/// Stores, for each name of a metadata-only device, the rules that its devices use and whether one was parsed.
/// Thread-safe.
class OtherDevices {
 private:
  friend struct OtherDevicesAccess;
  struct State {
    std::atomic<DeviceType> rules = DeviceType::CUDA;
    std::atomic<bool> seen = false;
  };
  std::array<State, kOtherDeviceNames> of_names_;
};

/// While an OtherDevicesScope is alive, its thread uses `devices`. Without a scope, a thread uses the OtherDevices of
/// the process.
class OtherDevicesScope {
 public:
  explicit OtherDevicesScope(OtherDevices& devices);
  ~OtherDevicesScope();
  OtherDevicesScope(const OtherDevicesScope&) = delete;
  OtherDevicesScope& operator=(const OtherDevicesScope&) = delete;

 private:
  OtherDevices* const saved_;
};

/// Sets the rules of the devices called `name`. Call this function before any of them is parsed. Returns false if the
/// name is unknown.
bool set_device_rules(std::string_view name, DeviceType rules);

struct OtherDevice {
  std::string_view name;
  DeviceType rules;
};
/// Returns the names of the devices that were parsed, each once, with their rules.
std::vector<OtherDevice> other_devices_seen();
/// Forgets the parsed devices and resets the rules of all names to CUDA's.
void reset_other_devices();
/// Returns all names: `xpu, npu, ...`.
std::string other_device_names();

}  // namespace ersatz
