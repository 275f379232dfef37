// Brackets, arguments and literals of Python, as far as texts of errors have them. Nothing is executed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

std::string_view trimmed(std::string_view text);
/// A whole decimal number with its sign; none for anything else and for what 64 bits do not hold.
std::optional<int64_t> integer_in(std::string_view text);
/// The number at the start of `text`; `taken` is its length, 0 where there is none.
std::optional<int64_t> leading_integer(std::string_view text, size_t& taken);
/// The longest prefix of letters, digits, `_` and the characters of `also`.
std::string_view leading_word(std::string_view text, std::string_view also = "");
/// A name of Python in ASCII, with dots where `dots`.
bool is_python_name(std::string_view text, bool dots = false);

/// The place where the bracket at `open` is closed; npos where it is not closed, where brackets do not pair or are too
/// deep, and where it is too far away. Strings in quotes are passed over.
size_t closing_bracket(std::string_view text, size_t open);
/// The parts between commas outside of brackets and quotes, trimmed. A comma at the end adds nothing.
std::vector<std::string> split_arguments(std::string_view inside);
/// The items of `(a, b)` or `[a, b]`; none where the text is neither.
std::optional<std::vector<std::string>> items_of(std::string_view sequence);
/// `'text'` or `"text"` without its quotes; none where it is no string.
std::optional<std::string> unquoted(std::string_view text);

/// Behind the first `phrase`; none where the text has no such phrase.
std::optional<std::string_view> behind(std::string_view text, std::string_view phrase);
/// The text between two phrases.
std::optional<std::string_view> between(std::string_view text, std::string_view begin, std::string_view end);

}  // namespace ersatz
