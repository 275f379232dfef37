#include "tools/output/text_room.h"

#include <fmt/format.h>

namespace ersatz::tools {

std::string indented(const std::string& lines) {
  std::string out;
  for (size_t at = 0; at < lines.size();) {
    size_t end = std::min(lines.find('\n', at), lines.size());
    out += "    " + lines.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

namespace {

/// The first bytes, without half a character of UTF-8 at the end.
void cut(std::string& text, size_t bytes) {
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  text.resize(bytes);
}

}  // namespace

std::string TextRoom::fit(std::string text, int64_t findings) {
  if (whole_) return text;
  if (text.size() > kMostOfFinding) {
    const size_t bytes = text.size() - kMostOfFinding;
    cut(text, kMostOfFinding);
    text += fmt::format("...\n  {} more bytes of this finding: -o FILE or --json has all of it\n", bytes);
  }
  if (text.size() > left_) {
    left_ = 0;
    left_out_ += findings;
    return "";
  }
  left_ -= text.size();
  return text;
}

std::string TextRoom::rest(std::string_view what, std::string_view also) const {
  if (left_out_ == 0) return "";
  return fmt::format("{} more {}{}: -o FILE (text, or JSON with --json) has all of them{}\n", left_out_, what,
                     left_out_ == 1 ? "" : "s", also);
}

}  // namespace ersatz::tools
