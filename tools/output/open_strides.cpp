#include "tools/output/open_strides.h"

namespace ersatz::tools {

std::string with_open_strides(std::string meta) {
  const size_t end = meta.find_last_of("}]");
  return meta.insert(end == meta.npos ? meta.size() : end + 1, "?");
}

}  // namespace ersatz::tools
