#include "runtime/base/count_text.h"

#include <fmt/format.h>

namespace ersatz {

std::string count_of(int64_t n, std::string_view one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

}  // namespace ersatz
