#include "kernels/error_classes.h"

#include <algorithm>
#include <string_view>

#include "runtime/op/error_classes.h"

namespace ersatz {

namespace {
template <class F>
void each_name(std::string_view names, F&& set) {
  while (!names.empty()) {
    const size_t end = std::min(names.find(' '), names.size());
    if (end > 0) set(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

constexpr TorchVersion version(int first, int second) { return {first, second}; }
}  // namespace

void set_error_classes() {
#define MISSING(since, set, names) \
  each_name(names, [](std::string_view op) { set_missing_kernel_class(op, DTypeSet(set), version since); });
#define LABELLED(since, labels) \
  each_name(labels, [](std::string_view label) { set_label_class(label, version since); });
#include "kernels/error_classes.def"
#undef MISSING
#undef LABELLED
}

}  // namespace ersatz
