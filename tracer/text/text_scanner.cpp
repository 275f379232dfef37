#include "tracer/text/text_scanner.h"

#include <algorithm>
#include <charconv>

namespace ersatz {

namespace {
bool is_name_part(char c) {
  return c == '_' || c == '.' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
}  // namespace

TextScanner::TextScanner(std::string_view text, std::string file, ShapeEnv& env) : text_(text), file_(std::move(file)) {
  literals_.env = &env;
}

void TextScanner::skip() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++at_;
    } else {
      return;
    }
  }
}

char TextScanner::peek() {
  skip();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool TextScanner::next_is(std::string_view word) {
  skip();
  if (text_.compare(at_, word.size(), word) != 0) return false;
  return at_ + word.size() >= text_.size() || !is_name_part(text_[at_ + word.size()]);
}

bool TextScanner::take(char c) {
  if (at_end() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool TextScanner::take_word(std::string_view word) {
  if (!next_is(word)) return false;
  at_ += word.size();
  return true;
}

void TextScanner::expect(char c) {
  if (!take(c)) refuse("'{}' is expected", c);
}

void TextScanner::expect_word(std::string_view word) {
  if (!take_word(word)) refuse("'{}' is expected", word);
}

std::string_view TextScanner::word(std::string_view what) {
  skip();
  size_t end = at_;
  while (end < text_.size() && is_name_part(text_[end])) ++end;
  if (end == at_) refuse("{} is expected", what);
  const std::string_view found = text_.substr(at_, end - at_);
  at_ = end;
  return found;
}

std::string TextScanner::name(std::string_view what) { return peek() == '"' ? string(what) : std::string(word(what)); }

std::string TextScanner::keyword() {
  skip();
  size_t end = at_;
  while (end < text_.size() && is_name_part(text_[end]) && text_[end] != '.' && text_[end] != '$') ++end;
  if (end == at_ || end >= text_.size() || text_[end] != '=') return {};
  std::string key(text_.substr(at_, end - at_));
  at_ = end + 1;
  return key;
}

std::string TextScanner::string(std::string_view what) {
  if (peek() != '"') refuse("{} is expected, in quotes", what);
  const Value v = literal();
  return std::string(v.as_string());
}

int64_t TextScanner::integer(std::string_view what) {
  skip();
  int64_t n = 0;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), n);
  if (error != std::errc()) refuse("{} is expected", what);
  at_ = static_cast<size_t>(end - text_.data());
  return n;
}

/// Calls another parser on the rest of the text. Errors of that parser get the file and line of this scanner.
template <class F>
auto TextScanner::embedded(F&& parse) {
  skip();
  try {
    return parse();
  } catch (const Error& e) {
    refuse_at(at_, e.message);
  }
}

Value TextScanner::literal() {
  return embedded([&] { return parse_literal(text_, at_, literals_); });
}

bool TextScanner::at_meta() {
  skip();
  size_t end = at_;
  while (end < text_.size() && end - at_ < 6 && is_name_part(text_[end])) ++end;
  return end < text_.size() && text_[end] == '[' && parse_dtype(text_.substr(at_, end - at_)).has_value();
}

MetaText TextScanner::meta() {
  return embedded([&] {
    // The metadata end before a quoted alias name, ` ~%"a b"`, which the caller of `meta` parses.
    std::string_view rest = text_.substr(at_);
    const size_t line = rest.find_first_of("\n\"");
    if (line != rest.npos && line >= 3 && rest.substr(line - 3, 4) == " ~%\"") {
      rest = rest.substr(0, line - 3);
    }
    size_t taken = 0;
    MetaText meta = parse_meta_prefix(rest, taken, literals_.env);
    at_ += taken;
    return meta;
  });
}

std::string_view TextScanner::inside_parentheses() {
  const size_t start = at_;
  int depth = 1;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    depth += (c == '(') - (c == ')');
    if (depth == 0) return text_.substr(start, at_++ - start);
    if (c == '\n') break;
  }
  refuse_at(start, "')' is expected");
}

void TextScanner::refuse_at(size_t position, const std::string& message) const {
  const std::string_view before = text_.substr(0, position);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  fail_argument("{}:{}: {}", file_, line, message);
}

}  // namespace ersatz
