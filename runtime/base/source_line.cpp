#include "runtime/base/source_line.h"

#include <fmt/format.h>

namespace ersatz {

namespace detail {
thread_local constinit std::string_view t_source_line;
}

std::string SourceLine::here(const char* file, int line) {
  std::string_view name = file;
  if (size_t slash = name.rfind('/'); slash != name.npos) name.remove_prefix(slash + 1);
  return fmt::format("{}:{}", name, line);
}

}  // namespace ersatz
