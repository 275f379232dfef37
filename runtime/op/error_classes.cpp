#include "runtime/op/error_classes.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace ersatz {

namespace {

using Missing = std::unordered_map<std::string, std::vector<std::pair<DTypeSet, TorchVersion>>>;
Missing& missing_kernels() {
  static Missing all;
  return all;
}

using Labels = std::unordered_map<std::string, TorchVersion>;
Labels& labels() {
  static Labels all;
  return all;
}

}  // namespace

void set_missing_kernel_class(std::string_view base, DTypeSet dtypes, TorchVersion since) {
  missing_kernels()[std::string(base)].emplace_back(dtypes, since);
}

void set_label_class(std::string_view label, TorchVersion since) { labels()[std::string(label)] = since; }

ErrorFamily family_of_missing_kernel(std::string_view base, std::optional<DType> dtype, ErrorFamily family,
                                     TorchVersion version) {
  if (version >= TorchVersion()) return family;
  const auto at = missing_kernels().find(std::string(base));
  if (at == missing_kernels().end()) return family;
  for (const auto& [dtypes, since] : at->second) {
    if (version < since && (!dtype || dtypes.has(*dtype))) return ErrorFamily::Runtime;
  }
  return family;
}

ErrorFamily family_of_label(const std::string& label, ErrorFamily family, TorchVersion version) {
  if (version >= TorchVersion()) return family;
  const auto at = labels().find(label);
  return at != labels().end() && version < at->second ? ErrorFamily::Runtime : family;
}

}  // namespace ersatz
