// What is known of a terminal, and text that fits it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ersatz::tools {

enum class Color : uint8_t { Auto, Always, Never };

/// Is text for this descriptor to be coloured? Auto: on a terminal that is not `dumb`, unless NO_COLOR is set and not
/// empty (https://no-color.org).
bool wants_color(Color choice, int fd);

/// How wide lines for this descriptor may be: COLUMNS where that is a number, else what the terminal says; 0, no limit,
/// where it is no terminal.
size_t columns_of(int fd);

/// How wide `--help` is: as wide as the terminal, 120 columns in a pipe, COLUMNS in both; 40 to 140.
size_t columns_of_help();

/// The text with its paragraphs filled: lines broken between words, at most so long. A line that begins with a blank
/// (an example, a row of a table) stays as it is, an empty one ends a paragraph; a word that is longer stands alone.
std::string filled(std::string_view text, size_t columns);

}  // namespace ersatz::tools
