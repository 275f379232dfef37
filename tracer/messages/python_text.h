// Parses brackets, arguments and literals of Python in error texts. Nothing is executed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

std::string_view trimmed(std::string_view text);
/// Returns the integer if the whole text is a decimal integer, with or without a minus sign. nullopt for other text and
/// for an integer beyond 64 bits.
std::optional<int64_t> integer_in(std::string_view text);
/// Returns the integer at the start of `text`. `taken` gets its length; 0 if there is none.
std::optional<int64_t> leading_integer(std::string_view text, size_t& taken);
/// Returns the longest prefix of letters, digits, `_` and the characters of `also`.
std::string_view leading_word(std::string_view text, std::string_view also = "");
/// Returns whether `text` is an ASCII identifier of Python. If `dots` is set, a dotted name counts too.
bool is_python_name(std::string_view text, bool dots = false);

/// Returns the index of the bracket that closes the one at `open`. npos if there is none, if brackets do not match, or
/// if a limit on depth or length is exceeded. Quoted strings are skipped.
size_t closing_bracket(std::string_view text, size_t open);
/// Splits at the commas outside of brackets and quotes, and trims each part. A trailing comma adds nothing.
std::vector<std::string> split_arguments(std::string_view inside);
/// Returns the items of `(a, b)` or `[a, b]`, nullopt if the text is neither.
std::optional<std::vector<std::string>> items_of(std::string_view sequence);
/// Returns `'text'` or `"text"` without its quotes, nullopt if it is no string.
std::optional<std::string> unquoted(std::string_view text);

/// Returns the text after the first `phrase`, nullopt if there is none.
std::optional<std::string_view> behind(std::string_view text, std::string_view phrase);
/// Returns the text between `begin` and the next `end`, nullopt if one is missing.
std::optional<std::string_view> between(std::string_view text, std::string_view begin, std::string_view end);

}  // namespace ersatz
