// Scans the characters of a text form: blanks, words, names and literals. Every refusal has its line.
#pragma once

#include <string>
#include <string_view>

#include "runtime/op/literal.h"
#include "runtime/sym/sym_expr.h"

namespace ersatz {

class TextScanner {
 public:
  /// Symbols in expressions are added to `env`. Text and environment must outlive the scanner.
  TextScanner(std::string_view text, std::string file, ShapeEnv& env);

  size_t position() const { return at_; }
  bool at_end() { return skip(), at_ == text_.size(); }
  /// Returns the next character after blanks and comments (`# ...`), 0 at the end.
  char peek();
  bool next_is(std::string_view word);  ///< without consuming it
  bool take(char c);
  bool take_word(std::string_view word);
  void expect(char c);
  void expect_word(std::string_view word);

  std::string_view word(std::string_view what);  ///< letters, digits, `_.$`
  std::string name(std::string_view what);       ///< a word or a quoted string
  std::string string(std::string_view what);
  std::string keyword();  ///< consumes `key=` and returns `key`; empty, and nothing consumed, if there is none
  int64_t integer(std::string_view what);
  Value literal();
  bool at_meta();  ///< a dtype directly followed by '[' comes next
  MetaText meta();
  /// Returns the text up to the matching ')'. The opening one must be consumed.
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
