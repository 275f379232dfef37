#include "tools/program/missing_ops.h"

#include <fmt/format.h>

#include <set>

#include "runtime/op/value.h"

namespace ersatz::tools {

namespace {
constexpr size_t kShown = 8;
}

std::string missing_ops_advice(size_t operators, const std::vector<std::string>& plugins) {
  std::string out =
      fmt::format("{} missing; --keep-going takes their recorded metadata, --plugin loads a library that has them\n",
                  operators == 1 ? "1 operator is" : fmt::format("{} operators are", operators));
  const std::set<std::string> named(plugins.begin(), plugins.end());
  size_t shown = 0;
  for (const std::string& path : named) {
    if (shown++ == kShown) return out + fmt::format("... and {} more plugins\n", named.size() - kShown);
    // Spelled as a string is in a program: no byte of it reaches the terminal as it is.
    out += fmt::format("the program names the plugin {}: only --plugin loads it, which is for those who trust it\n",
                       to_string(Value(path)));
  }
  return out;
}

}  // namespace ersatz::tools
