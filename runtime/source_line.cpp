#include "runtime/source_line.h"

#include <fmt/format.h>

namespace ersatz {

namespace detail {
thread_local constinit std::string_view t_source_line;
}

std::string SourceLine::here(std::source_location at) {
  std::string_view file = at.file_name();
  if (size_t slash = file.rfind('/'); slash != file.npos) file.remove_prefix(slash + 1);
  return fmt::format("{}:{}", file, at.line());
}

}  // namespace ersatz
