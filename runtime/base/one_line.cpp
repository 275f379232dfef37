#include "runtime/base/one_line.h"

#include <fmt/format.h>

namespace ersatz {

namespace {

/// How many bytes at `i` are a control character; 0: none.
size_t control_at(std::string_view text, size_t i) {
  const auto c = static_cast<unsigned char>(text[i]);
  if (c < 0x20 || c == 0x7f) return 1;
  const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
  return c == 0xc2 && next >= 0x80 && next < 0xa0 ? 2 : 0;
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
    i += control - 1;
    out += text[i] == '\n'   ? "\\n"
           : text[i] == '\t' ? "\\t"
                             : fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
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
