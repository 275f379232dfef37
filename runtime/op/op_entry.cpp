#include "runtime/op/op_entry.h"

namespace ersatz {

bool OpEntry::has_kernel(DeviceType d) const {
  if (functional) return functional->has_kernel(d);
  auto i = static_cast<size_t>(d);
  return fill_kernels[i].load() || return_kernels[i].load();
}

// Setters that allocate. They are not inlined, because registration calls them thousands of times.

OpEntry& OpEntry::devices(std::vector<DeviceRule> r) {
  device_rules = std::move(r);
  return *this;
}

OpEntry& OpEntry::with_index_domain(IndexDomain d) {
  index_domains.push_back(d);
  return *this;
}

OpEntry& OpEntry::sample(std::string_view arguments, double low, double high) {
  samples.push_back({std::string(arguments), low, high});
  return *this;
}

OpEntry& OpEntry::refuses(std::string_view label, std::string_view arguments) {
  error_samples.push_back({std::string(label), std::string(arguments)});
  return *this;
}

}  // namespace ersatz
