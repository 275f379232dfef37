#include "runtime/base/one_line.h"

#include <fmt/format.h>

namespace ersatz {

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (!has_control({&c, 1})) {
      line += c;
    } else if (c == '\n') {
      line += "\\n";
    } else if (c == '\t') {
      line += "\\t";
    } else {
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return line;
}

}  // namespace ersatz
