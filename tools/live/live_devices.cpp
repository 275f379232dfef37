#include "tools/live/live_devices.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/base/error.h"

namespace ersatz::tools {

LiveDevices::LiveDevices(const std::string& choice) {
  const OtherDevicesScope scope(devices_);
  choice_.emplace(choice);
  if (choice_->device())
    fail_argument(
        "--device {}: a live run is on the devices of its program; NAME=cpu, NAME=cuda and NAME=FILE say "
        "how tensors on NAME are predicted, one of {}",
        choice, other_device_names());
}

LiveDevices::Scope::Scope(const LiveDevices& of) : devices_(of.devices_) {
  if (of.choice_->layouts()) layouts_.emplace(of.choice_->layouts());
}

std::optional<Device> LiveDevices::find(const std::string& name, int number, bool is_free) const {
  const OtherDevicesScope scope(devices_);
  const int n = std::max(number, 0);
  std::optional<Device> found = parse_device(fmt::format("{}:{}", name, n));
  if (!found && is_free) found = parse_device(fmt::format("privateuseone:{}", n));
  return found && is_other(*found) ? found : std::nullopt;
}

std::string LiveDevices::json() const {
  const OtherDevicesScope scope(devices_);
  nlohmann::ordered_json report = nlohmann::ordered_json::object();
  choice_->add_to_json(report);
  return report.dump();
}

}  // namespace ersatz::tools
