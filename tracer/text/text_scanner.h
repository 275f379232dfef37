// Reads the characters of a text form: blanks, words, names and literals. Every error has its line.
#pragma once

#include <string>
#include <string_view>

#include "runtime/op/literal.h"
#include "runtime/sym/sym_expr.h"

namespace ersatz {

class TextScanner {
 public:
  /// Symbols in expressions are added to `env`. REQUIRES: the text and `env` outlive the scanner.
  TextScanner(std::string_view text, std::string file, ShapeEnv& env);

  size_t position() const { return at_; }
  bool at_end() { return skip(), at_ == text_.size(); }
  /// Skips blanks and comments (`# ...`). Returns the next character without consuming it; 0 at the end.
  char peek();
  bool next_is(std::string_view word);  ///< does not consume the word
  bool take(char c);
  bool take_word(std::string_view word);
  void expect(char c);
  void expect_word(std::string_view word);

  std::string_view word(std::string_view what);  ///< consumes letters, digits and `_.$`
  std::string name(std::string_view what);       ///< consumes a word or a quoted string
  std::string string(std::string_view what);
  /// Consumes `key=` and returns `key`; if there is none, consumes nothing and returns an empty text.
  std::string keyword();
  int64_t integer(std::string_view what);
  Value literal();
  bool at_meta();  ///< whether a dtype and, directly after it, a '[' come next
  MetaText meta();
  /// Returns the text up to the matching ')'. REQUIRES: the opening bracket has been consumed.
  std::string_view inside_parentheses();

  template <class... A>
  [[noreturn]] void refuse(fmt::format_string<A...> format, const A&... values) const {
    refuse_at(at_, fmt::vformat(format, fmt::make_format_args(values...)));
  }
  [[noreturn]] void refuse_at(size_t position, const std::string& message) const;

 private:
  void skip();
  template <class F>
  auto embedded(F&& parse);
  std::string_view text_;
  std::string file_;
  LiteralOptions literals_;
  size_t at_ = 0;
};

}  // namespace ersatz
