// The parser of argument literals. Its input is not trusted: nesting, list lengths and text are bounded.
#include "runtime/op/literal.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "runtime/sym/sym_value.h"

namespace ersatz {

namespace {

constexpr int kMaxDepth = 16;
constexpr size_t kMaxItems = size_t(1) << 20;

/// The number of characters of the longest short dtype name.
constexpr size_t kLongestDType = [] {
  size_t most = 0;
  for (const DTypeRow& row : kDTypeRows) most = std::max(most, row.short_name.size());
  return most;
}();

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

class LiteralParser {
 public:
  LiteralParser(std::string_view text, size_t position, const LiteralOptions& options)
      : text_(text), at_(position), options_(options) {}

  size_t position() const { return at_; }

  Value literal(int depth = 0) {
    skip_blanks();
    char c = peek();
    if (c == '[') return list(depth);
    if (c == '"') return string();
    if (c == '%') return named_value();
    if (c == '(') {
      if (auto z = complex()) return *z;
    }
    if (starts_meta()) return tensor();
    size_t end = word_end();
    std::string_view word = text_.substr(at_, end - at_);
    if (word.empty()) refuse("a literal");
    Value v = word_value(word);
    at_ = end;
    return v;
  }

  ParsedArguments arguments() {
    ParsedArguments parsed;
    skip_blanks();
    if (at_ == text_.size()) return parsed;
    for (;;) {
      if (auto key = keyword()) {
        for (const auto& [other, value] : parsed.keywords) {
          if (other == *key) refuse(fmt::format("keyword {} once", *key));
        }
        Value v = literal();
        parsed.keywords.emplace_back(std::move(*key), std::move(v));
      } else {
        if (!parsed.keywords.empty()) refuse("a keyword, as one came before");
        parsed.positional.push_back(literal());
      }
      skip_blanks();
      if (at_ == text_.size()) return parsed;
      if (peek() != ',') refuse("',' or the end");
      ++at_;
    }
  }

 private:
  Value list(int depth) {
    if (depth == kMaxDepth) refuse(fmt::format("lists nested at most {} deep", kMaxDepth));
    ++at_;
    std::vector<Value> items;
    skip_blanks();
    if (peek() == ']') {
      ++at_;
    } else {
      for (;;) {
        if (items.size() == kMaxItems) refuse(fmt::format("at most {} items", kMaxItems));
        items.push_back(literal(depth + 1));
        skip_blanks();
        char c = peek();
        if (c != ',' && c != ']') refuse("',' or ']'");
        ++at_;
        if (c == ']') break;
      }
    }
    return Value::packed(items);
  }

  Value string() {
    ++at_;
    std::string out;
    while (peek() != '"') {
      if (at_ >= text_.size()) refuse("a closing quote");
      char c = text_[at_++];
      if (c != '\\') {
        out += c;
        continue;
      }
      char escape = peek();
      ++at_;
      if (escape == 'n') {
        out += '\n';
      } else if (escape == 't') {
        out += '\t';
      } else if (escape == '"' || escape == '\\') {
        out += escape;
      } else if (escape == 'x' && at_ + 2 <= text_.size()) {
        unsigned code = 0;
        const char* digits = text_.data() + at_;
        auto [rest, error] = std::from_chars(digits, digits + 2, code, 16);
        if (error != std::errc() || rest != digits + 2) refuse("two hexadecimal digits");
        out += static_cast<char>(code);
        at_ += 2;
      } else {
        --at_;
        refuse("one of \\n \\t \\\" \\\\ \\xHH");
      }
    }
    ++at_;
    return Value(std::string_view(out));
  }

  Value named_value() {
    size_t start = ++at_;
    while (is_name_char(peek())) ++at_;
    if (at_ == start) refuse("a name behind '%'");
    std::string_view name = text_.substr(start, at_ - start);
    if (!options_.value) {
      at_ = start - 1;
      refuse(fmt::format("no reference here, but found %{}", name));
    }
    return options_.value(name);
  }

  /// Parses a complex number, for example `(1+2j)`. If the parentheses contain something else, returns nullopt and does
  /// not move.
  std::optional<Value> complex() {
    size_t close = text_.find(')', at_);
    if (close == std::string_view::npos || text_[close - 1] != 'j') return std::nullopt;
    std::string_view body = text_.substr(at_ + 1, close - at_ - 2);
    size_t split = std::string_view::npos;
    for (size_t i = 1; i < body.size(); ++i) {
      if ((body[i] == '+' || body[i] == '-') && body[i - 1] != 'e') split = i;
    }
    std::optional<double> re = 0.0, im;
    if (split == std::string_view::npos) {
      im = to_double(body);
    } else {
      re = to_double(body.substr(0, split));
      im = to_double(body.substr(body[split] == '+' ? split + 1 : split));
    }
    if (!re || !im) refuse("a complex number like (1+2j)");
    at_ = close + 1;
    return Value(std::complex<double>(*re, *im));
  }

  /// Does the text at the position begin with a dtype and '['?
  bool starts_meta() const {
    size_t end = at_;
    while (end < text_.size() && end - at_ < kLongestDType && is_name_char(text_[end])) ++end;
    return end < text_.size() && text_[end] == '[' && parse_dtype(text_.substr(at_, end - at_));
  }

  Value tensor() {
    size_t taken = 0;
    if (!options_.tensor) refuse("no tensor here");
    MetaText meta = parse_meta_prefix(text_.substr(at_), taken, options_.env);
    at_ += taken;
    return options_.tensor(meta);
  }

  /// Returns the end of the token: a blank, ',', ']' or '}' outside of parentheses, or an unmatched ')'.
  size_t word_end() const {
    size_t end = at_;
    int depth = 0;
    for (; end < text_.size(); ++end) {
      char c = text_[end];
      if (c == '(') ++depth;
      if (c == ')' && --depth < 0) break;
      if (depth == 0 && (c == ',' || c == ']' || c == '}' || c == ' ' || c == '\t' || c == '\n' || c == '\r')) break;
    }
    return end;
  }

  Value word_value(std::string_view word) {
    if (word == "None") return Value();
    if (word == "True") return Value(true);
    if (word == "False") return Value(false);
    if (word == "strided") return Value(Layout::Strided);
    if (auto dtype = parse_dtype(word)) return Value(*dtype);
    if (auto device = parse_device(word)) return Value(*device);
    if (auto format = parse_memory_format(word)) return Value(*format);
    if (word.find_first_not_of("-0123456789") == std::string_view::npos) return integer(word);
    if (auto d = to_double(word)) return Value(*d);
    if (options_.env && word.back() == ')') {
      if (word.starts_with("bool(")) return truth(word.substr(5, word.size() - 6));
      if (word.starts_with("float("))
        return Value::number(SymFloat::parse(word.substr(6, word.size() - 7), *options_.env));
    }
    if (options_.env) return Value(options_.env->parse(word));
    refuse(fmt::format("a literal, not '{}'", word.substr(0, 40)));
  }

  Value truth(std::string_view text) {
    const SymInt v = options_.env->parse(text);
    if (!is_truth(v)) refuse(fmt::format("a comparison inside of bool(), not '{}'", text.substr(0, 40)));
    return Value::truth(v);
  }

  Value integer(std::string_view word) {
    int64_t i = 0;
    auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), i);
    bool fits = error == std::errc() && rest == word.data() + word.size();
    if (!fits && rest != word.data() + word.size() && options_.env) return Value(options_.env->parse(word));
    if (!fits) refuse(fmt::format("an integer of 64 bits, not '{}'", word.substr(0, 40)));
    return Value(i);
  }

  static std::optional<double> to_double(std::string_view word) {
    double d = 0;
    auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), d);
    if (word.empty() || rest != word.data() + word.size()) return std::nullopt;
    if (error == std::errc::result_out_of_range) return std::nullopt;
    return error == std::errc() ? std::optional(d) : std::nullopt;
  }

  /// Parses `name=`. If the next argument has no keyword, returns nullopt and does not move.
  std::optional<std::string> keyword() {
    skip_blanks();
    size_t end = at_;
    while (end < text_.size() && is_name_char(text_[end]) && text_[end] != '.') ++end;
    if (end == at_ || end >= text_.size() || text_[end] != '=') return std::nullopt;
    std::string key(text_.substr(at_, end - at_));
    at_ = end + 1;
    return key;
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
  }

  [[noreturn]] void refuse(std::string_view expected) const {
    size_t from = std::min(at_ < 24 ? 0 : at_ - 24, text_.size());
    fail_argument("literal: expected {} at position {} of {}, near '{}'", one_line(expected), at_, text_.size(),
                  one_line(text_.substr(from, 48)));
  }

  /// Returns a user's text without control characters, because an error message is one line.
  static std::string one_line(std::string_view text) {
    std::string line(text);
    for (char& c : line) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    }
    return line;
  }

  std::string_view text_;
  size_t at_;
  const LiteralOptions& options_;
};

}  // namespace

Value parse_literal(std::string_view text, size_t& position, const LiteralOptions& options) {
  LiteralParser parser(text, position, options);
  Value v = parser.literal();
  position = parser.position();
  return v;
}

ParsedArguments parse_arguments(std::string_view text, const LiteralOptions& options) {
  return LiteralParser(text, 0, options).arguments();
}

}  // namespace ersatz
