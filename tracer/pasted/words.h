// Small functions on text.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ersatz::pasted {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns whether a Python name may begin with this character. Names may have letters of any language.
inline bool begins_name(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}
inline bool in_name(char c) { return begins_name(c) || is_digit(c); }

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// Removes blanks, tabs and line ends at both ends.
inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Returns the number of leading blanks and tabs.
inline size_t blanks_before(std::string_view line) {
  size_t at = 0;
  while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
  return at;
}

/// Returns the integer if the whole text is one; else nullopt.
inline std::optional<int64_t> whole_number(std::string_view text) {
  int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

/// Returns the number if the whole text is one; else nullopt.
inline std::optional<double> real_number(std::string_view text) {
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(x) : std::nullopt;
}

}  // namespace ersatz::pasted
