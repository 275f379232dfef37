#include "tracer/messages/python_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace ersatz {

namespace {

constexpr size_t kMaxDepth = 64, kMaxCall = size_t(1) << 16;  // limits: depth of brackets, and characters of one call

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Returns the index after the string literal that begins at `at`; if it is not closed, the end of the text.
size_t behind_string(std::string_view text, size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

}  // namespace

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

std::optional<int64_t> leading_integer(std::string_view text, size_t& taken) {
  int64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  taken = failed == std::errc() ? static_cast<size_t>(end - text.data()) : 0;
  if (!taken) return std::nullopt;
  return value;
}

std::optional<int64_t> integer_in(std::string_view text) {
  text = trimmed(text);
  size_t taken = 0;
  const std::optional<int64_t> value = leading_integer(text, taken);
  return taken == text.size() ? value : std::nullopt;
}

std::string_view leading_word(std::string_view text, std::string_view also) {
  size_t end = 0;
  while (end < text.size() && (is_word(text[end]) || also.find(text[end]) != also.npos)) ++end;
  return text.substr(0, end);
}

bool is_python_name(std::string_view text, bool dots) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  return std::all_of(text.begin(), text.end(), [&](char c) { return is_word(c) || (dots && c == '.'); });
}

size_t closing_bracket(std::string_view text, size_t open) {
  std::string stack;
  const size_t end = std::min(text.size(), open + kMaxCall);
  for (size_t at = open; at < end;) {
    const char c = text[at];
    if (c == '\'' || c == '"') {
      at = behind_string(text, at);
      continue;
    }
    if (c == '(' || c == '[' || c == '{') {
      if (stack.size() == kMaxDepth) return text.npos;
      stack += closing(c);
    } else if (c == ')' || c == ']' || c == '}') {
      if (stack.empty() || stack.back() != c) return text.npos;
      stack.pop_back();
      if (stack.empty()) return at;
    }
    ++at;
  }
  return text.npos;
}

std::vector<std::string> split_arguments(std::string_view inside) {
  std::vector<std::string> items;
  size_t begin = 0, depth = 0;
  const auto take = [&](size_t end) {
    const std::string_view item = trimmed(inside.substr(begin, end - begin));
    if (!item.empty()) items.emplace_back(item);
    begin = end + 1;
  };
  for (size_t at = 0; at < inside.size();) {
    const char c = inside[at];
    if (c == '\'' || c == '"') {
      at = behind_string(inside, at);
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth) --depth;
    if (c == ',' && depth == 0) take(at);
    ++at;
  }
  take(inside.size());
  return items;
}

std::optional<std::vector<std::string>> items_of(std::string_view sequence) {
  sequence = trimmed(sequence);
  if (sequence.empty() || (sequence[0] != '(' && sequence[0] != '[')) return std::nullopt;
  if (closing_bracket(sequence, 0) != sequence.size() - 1) return std::nullopt;
  return split_arguments(sequence.substr(1, sequence.size() - 2));
}

std::optional<std::string> unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || (text[0] != '\'' && text[0] != '"') || text.back() != text[0]) return std::nullopt;
  return std::string(text.substr(1, text.size() - 2));
}

std::optional<std::string_view> behind(std::string_view text, std::string_view phrase) {
  const size_t at = text.find(phrase);
  if (at == text.npos) return std::nullopt;
  return text.substr(at + phrase.size());
}

std::optional<std::string_view> between(std::string_view text, std::string_view begin, std::string_view end) {
  const std::optional<std::string_view> rest = behind(text, begin);
  if (!rest) return std::nullopt;
  const size_t at = rest->find(end);
  if (at == rest->npos) return std::nullopt;
  return rest->substr(0, at);
}

}  // namespace ersatz
