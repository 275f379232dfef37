// Properties of the terminal, and text that fits it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ersatz::tools {

enum class Color : uint8_t { Auto, Always, Never };

/// True if text for this descriptor gets colours. Auto: yes on a terminal that is not `dumb`, unless NO_COLOR is set
/// and not empty (https://no-color.org).
bool wants_color(Color choice, int fd);

/// Width of lines for this descriptor: COLUMNS if it is a number, else the terminal's width; 0 (no limit) without a
/// terminal.
size_t columns_of(int fd);

/// Width of `--help`: COLUMNS if set, else the terminal's width, or 120 in a pipe. Always from 40 to 140.
size_t columns_of_help();

/// Breaks the lines of paragraphs between words, to at most `columns`. A line that begins with a blank (an example, a
/// table row) is unchanged, and an empty line ends a paragraph. A longer word gets its own line.
std::string filled(std::string_view text, size_t columns);

}  // namespace ersatz::tools
