#include "runtime/base/device.h"

namespace ersatz {

std::string_view name(DeviceType t) {
  constexpr std::string_view names[kDeviceTypeCount] = {"cpu", "cuda", "meta"};
  return names[static_cast<int>(t)];
}

std::string to_string(Device d) {
  std::string text(name(d.type));
  if (d.is_cuda() && d.index >= 0) text += ":" + std::to_string(int{d.index});
  return text;
}

std::optional<Device> parse_device(std::string_view text) {
  if (text == "cpu" || text == "cpu:0") return kCPU;
  if (text == "meta") return kMeta;
  if (text == "cuda") return Device{DeviceType::CUDA, -1};
  constexpr std::string_view prefix = "cuda:";
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  if (text.empty() || text.size() > 3 || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  int index = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    index = index * 10 + (c - '0');
  }
  if (index > INT8_MAX) return std::nullopt;
  return cuda(index);
}

Device resolve(Device d) {
  if (d.is_cuda() && d.index < 0) return cuda(0);
  return d;
}

}  // namespace ersatz
