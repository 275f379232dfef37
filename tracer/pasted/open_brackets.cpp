#include "tracer/pasted/open_brackets.h"

#include <array>

#include "runtime/base/error.h"

namespace ersatz::pasted {

size_t string_end(std::string_view text, size_t at) {
  const char quote = text[at];
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;
    }
  }
  return text.npos;
}

namespace {

constexpr std::array<bool, 256> kOpens = [] {
  std::array<bool, 256> opens{};
  for (const char c : std::string_view("#\"'()[]{}")) opens[static_cast<unsigned char>(c)] = true;
  return opens;
}();

}  // namespace

void OpenBrackets::read(std::string_view line) {
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (!kOpens[static_cast<unsigned char>(c)]) continue;
    if (c == '#') return;
    if (c == '"' || c == '\'') {
      const size_t end = string_end(line, i);
      if (end == line.npos) fail_argument("column {}: a text in quotes is not closed", i + 1);
      i = end - 1;
    } else if (c == '(' || c == '[' || c == '{') {
      open += c == '(' ? ')' : c == '[' ? ']' : '}';
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty()) fail_argument("column {}: '{}' closes nothing", i + 1, c);
      if (open.back() != c) fail_argument("column {}: '{}' where '{}' is expected", i + 1, c, open.back());
      open.pop_back();
    }
  }
}

bool is_balanced(std::string_view line) {
  OpenBrackets brackets;
  try {
    brackets.read(line);
  } catch (const Error&) {
    return false;
  }
  return brackets.open.empty();
}

}  // namespace ersatz::pasted
