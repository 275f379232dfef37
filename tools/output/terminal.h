// Properties of a terminal, and text wrapped to its width.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ersatz::tools {

enum class Color : uint8_t { Auto, Always, Never };

/// True if text for this file descriptor should have colours. Color::Auto gives colours on a terminal that is not
/// `dumb`, unless NO_COLOR is set and not empty (https://no-color.org).
bool wants_color(Color choice, int fd);

/// Returns the width of lines for this file descriptor: COLUMNS if it is a number, else the terminal's width; 0 (no
/// limit) if it is no terminal.
size_t columns_of(int fd);

/// Returns the width of `--help`: COLUMNS if set, else the terminal's width, or 120 in a pipe. It is always from 40 to
/// 140.
size_t columns_of_help();

/// Wraps paragraphs at `columns`, between words. A word that is longer gets its own line. A line that begins with a
/// blank (an example, a table row) is unchanged. An empty line ends a paragraph.
std::string filled(std::string_view text, size_t columns);

}  // namespace ersatz::tools
