#include "runtime/base/one_line.h"

#include <fmt/format.h>

namespace ersatz {

namespace {

/// Returns the number of bytes of the control character at `i`; 0 if there is none.
size_t control_at(std::string_view text, size_t i) {
  const auto c = static_cast<unsigned char>(text[i]);
  if (c < 0x20 || c == 0x7f) return 1;
  const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
  if (c == 0xc2 && next >= 0x80 && next < 0xa0) return 2;
  const auto third = i + 2 < text.size() ? static_cast<unsigned char>(text[i + 2]) : 0;
  const bool turns = c == 0xe2 && ((next == 0x80 && third >= 0xaa && third <= 0xae) ||
                                   (next == 0x81 && third >= 0xa6 && third <= 0xa9));
  return turns ? 3 : 0;
}

std::string spelt(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t control = control_at(text, i);
    if (control == 0 || kept.find(text[i]) != kept.npos) {
      out += text[i];
      continue;
    }
    const auto last = static_cast<unsigned char>(text[i + control - 1]);
    out += text[i] == '\n'   ? "\\n"
           : text[i] == '\t' ? "\\t"
           : control == 3    ? fmt::format("\\u20{:02x}", last - 0x80 + (last < 0xaa ? 0x40 : 0))
                             : fmt::format("\\x{:02x}", last);
    i += control - 1;
  }
  return out;
}

}  // namespace

bool has_control(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (control_at(text, i) > 0) return true;
  }
  return false;
}

std::string one_line(std::string_view text) { return spelt(text, ""); }
std::string plain_text(std::string_view text) { return spelt(text, "\n\t"); }

}  // namespace ersatz
