// Somebody else's text on one line of ours: names of a loaded file, which stand in reports and errors.
#pragma once

#include <string>
#include <string_view>

namespace ersatz {

/// Does the text hold a control character, so that it could end a line or steer a terminal?
inline bool has_control(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return true;
  }
  return false;
}

/// The text with control characters spelt out: `\n`, `\t`, `\x1b`.
std::string one_line(std::string_view text);

}  // namespace ersatz
