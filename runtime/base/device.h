// A tensor's device: `cpu`, `cuda:N`, `meta`, or a metadata-only device (runtime/base/other_devices.h).
//
// A `Device` is two bytes. `resolve` replaces `cuda` without an index by `cuda:0` when a tensor is created, so a
// tensor's device always has an index. The devices cpu and meta have index 0, which is not printed.
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
  int8_t index = 0;  ///< -1: not resolved yet, which happens only for `cuda` without an index

  constexpr bool operator==(const Device&) const = default;
  constexpr bool is_cpu() const { return type == DeviceType::CPU; }
  constexpr bool is_cuda() const { return type == DeviceType::CUDA; }
  constexpr bool is_meta() const { return type == DeviceType::Meta; }
};

inline constexpr Device kCPU{DeviceType::CPU, 0};
inline constexpr Device kMeta{DeviceType::Meta, 0};
constexpr Device cuda(int index = 0) { return {DeviceType::CUDA, static_cast<int8_t>(index)}; }

/// Returns `cpu`, `cuda:0` or `meta`, or `cuda` if the index is not resolved.
std::string to_string(Device d);
std::string_view name(DeviceType t);
/// Parses `cpu`, `cpu:0`, `cuda`, `cuda:N` (N < 64), `meta`, `xpu:N` and the other names of other_devices.h. Returns
/// nullopt for other text.
std::optional<Device> parse_device(std::string_view text);
/// Returns `cuda:0` for `cuda` without an index, and any other device unchanged. It never loads the CUDA module.
Device resolve(Device d);

}  // namespace ersatz
