#include "runtime/cuda/machine_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "runtime/cuda/driver.h"
#include "runtime/cuda/status.h"

namespace ersatz::cuda_module {

bool has_machine_code(std::string_view built, int capability) {
  int last = 0;
  while (!built.empty()) {
    const size_t end = std::min(built.find(','), built.size());
    std::from_chars(built.data(), built.data() + end, last);
    if (last / 10 == capability / 10 && last <= capability) return true;
    built.remove_prefix(std::min(end + 1, built.size()));
  }
  return last > 0 && last <= capability;
}

std::string refuse_devices_without_code(int count) {
  std::string first;
  bool any = false;
  for (int device = 0; device < count; ++device) {
    const DeviceProperties& p = device_properties(device);
    if (has_machine_code(driver().built_for, p.capability)) {
      any = true;
      continue;
    }
    std::string why = fmt::format(
        "cuda:{} ({}) has compute capability {}.{}, and this module has code for {}: build it with "
        "-DERSATZ_CUDA_ARCHS={}",
        device, p.name, p.capability / 10, p.capability % 10, driver().built_for, p.capability);
    if (first.empty()) first = why;
    make_unusable(device, std::move(why));
  }
  return any ? "" : first;
}

}  // namespace ersatz::cuda_module
