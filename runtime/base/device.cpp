#include "runtime/base/device.h"

#include <atomic>
#include <iterator>

#include "runtime/base/other_devices.h"

namespace ersatz {
namespace {

constexpr std::string_view kOthers[] = {"xpu", "npu", "mps", "musa", "mtia", "hpu", "privateuseone"};
constexpr int kEach = kDevicesOfAName;
static_assert(std::size(kOthers) == kOtherDeviceNames);
static_assert(kEndOfOtherIndices <= INT8_MAX);

OtherDevices g_others;
thread_local OtherDevices* t_others = nullptr;  // set by an OtherDevicesScope; null: this thread uses g_others

int which_other(Device d) { return (d.index - kFirstOtherIndex) / kEach; }

/// Parses a number without leading zeros: `0`, `12`. Returns nullopt for other text and for numbers >= `end`.
std::optional<int> parse_number(std::string_view text, int end) {
  if (text.empty() || text.size() > 3 || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  int number = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number < end ? std::optional(number) : std::nullopt;
}

}  // namespace

struct OtherDevicesAccess {
  static auto& states() { return (t_others ? t_others : &g_others)->of_names_; }
};

OtherDevicesScope::OtherDevicesScope(OtherDevices& devices) : saved_(t_others) { t_others = &devices; }
OtherDevicesScope::~OtherDevicesScope() { t_others = saved_; }

std::string_view name(DeviceType t) {
  constexpr std::string_view names[kDeviceTypeCount] = {"cpu", "cuda", "meta"};
  return names[static_cast<int>(t)];
}

std::string_view device_name(Device d) { return is_other(d) ? kOthers[which_other(d)] : name(d.type); }

int device_number(Device d) { return is_other(d) ? (d.index - kFirstOtherIndex) % kEach : d.index; }

Device first_of_its_name(Device d) {
  return {d.type, static_cast<int8_t>(is_other(d) ? d.index - device_number(d) : 0)};
}

std::string to_string(Device d) {
  std::string text(device_name(d));
  if (is_other(d) || (d.is_cuda() && d.index >= 0)) text += ":" + std::to_string(device_number(d));
  return text;
}

std::optional<Device> parse_device(std::string_view text) {
  if (text == "cpu" || text == "cpu:0") return kCPU;
  if (text == "meta") return kMeta;
  if (text == "cuda") return Device{DeviceType::CUDA, -1};
  const size_t colon = text.find(':');
  const std::string_view word = text.substr(0, colon);
  const bool numbered = colon != text.npos;
  if (word == "cuda") {
    const std::optional<int> index = parse_number(text.substr(colon + 1), kFirstOtherIndex);
    return index ? std::optional(cuda(*index)) : std::nullopt;
  }
  for (size_t k = 0; k < std::size(kOthers); ++k) {
    if (word != kOthers[k]) continue;
    const std::optional<int> number = numbered ? parse_number(text.substr(colon + 1), kEach) : 0;
    if (!number) return std::nullopt;
    auto& state = OtherDevicesAccess::states()[k];
    state.seen.store(true, std::memory_order_relaxed);
    const int index = kFirstOtherIndex + static_cast<int>(k) * kEach + *number;
    return Device{state.rules.load(std::memory_order_relaxed), static_cast<int8_t>(index)};
  }
  return std::nullopt;
}

Device resolve(Device d) {
  if (d.is_cuda() && d.index < 0) return cuda(0);
  return d;
}

bool set_device_rules(std::string_view name, DeviceType rules) {
  for (size_t k = 0; k < std::size(kOthers); ++k) {
    if (name != kOthers[k]) continue;
    OtherDevicesAccess::states()[k].rules.store(rules, std::memory_order_relaxed);
    return true;
  }
  return false;
}

std::vector<OtherDevice> other_devices_seen() {
  std::vector<OtherDevice> seen;
  for (size_t k = 0; k < std::size(kOthers); ++k) {
    const auto& state = OtherDevicesAccess::states()[k];
    if (state.seen.load(std::memory_order_relaxed))
      seen.push_back({kOthers[k], state.rules.load(std::memory_order_relaxed)});
  }
  return seen;
}

void reset_other_devices() {
  for (auto& s : OtherDevicesAccess::states()) {
    s.rules.store(DeviceType::CUDA, std::memory_order_relaxed);
    s.seen.store(false, std::memory_order_relaxed);
  }
}

std::string other_device_names() {
  std::string names;
  for (std::string_view n : kOthers) names.append(names.empty() ? "" : ", ").append(n);
  return names;
}

}  // namespace ersatz
