// Small questions about pieces of text.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ersatz::pasted {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Names of Python may have letters of every language.
inline bool begins_name(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}
inline bool in_name(char c) { return begins_name(c) || is_digit(c); }

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// Takes blanks, tabs and line ends from both sides.
inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// How many blanks and tabs the line begins with.
inline size_t blanks_before(std::string_view line) {
  size_t at = 0;
  while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
  return at;
}

/// The integer that the whole text is.
inline std::optional<int64_t> whole_number(std::string_view text) {
  int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

/// The number that the whole text is.
inline std::optional<double> real_number(std::string_view text) {
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(x) : std::nullopt;
}

}  // namespace ersatz::pasted
