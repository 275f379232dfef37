// A tensor's device: `cpu`, `cuda:N`, `meta`, or a metadata-only device (runtime/base/other_devices.h).
//
// A `Device` is two bytes. `cuda` without an index is resolved once, when a tensor is made
// (`resolve`), so a tensor's device always has its index. cpu and meta have index 0 and print none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ersatz {

enum class DeviceType : uint8_t { CPU, CUDA, Meta };
inline constexpr int kDeviceTypeCount = 3;

struct Device {
  DeviceType type = DeviceType::CPU;
  int8_t index = 0;  ///< -1: not resolved yet (only `cuda` as written by a user)

  constexpr bool operator==(const Device&) const = default;
  constexpr bool is_cpu() const { return type == DeviceType::CPU; }
  constexpr bool is_cuda() const { return type == DeviceType::CUDA; }
  constexpr bool is_meta() const { return type == DeviceType::Meta; }
};

inline constexpr Device kCPU{DeviceType::CPU, 0};
inline constexpr Device kMeta{DeviceType::Meta, 0};
constexpr Device cuda(int index = 0) { return {DeviceType::CUDA, static_cast<int8_t>(index)}; }

/// `cpu`, `cuda:0`, `meta`; `cuda` when unresolved.
std::string to_string(Device d);
std::string_view name(DeviceType t);
/// Accepts `cpu`, `cpu:0`, `cuda`, `cuda:N` (N < 64), `meta`, `xpu:N` and the names of other_devices.h; nullopt for
/// others.
std::optional<Device> parse_device(std::string_view text);
/// `cuda` becomes `cuda:0`, anything else is unchanged. The current CUDA device is a thread's own
/// setting only once the CUDA module is loaded; asking for it never loads the module.
Device resolve(Device d);

}  // namespace ersatz
