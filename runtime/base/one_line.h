// Somebody else's text in ours: names of a loaded file, which stand in reports and errors.
//
// Control characters are spelt out, `\n`, `\x1b`: none ends a line, none steers a terminal.
#pragma once

#include <string>
#include <string_view>

namespace ersatz {

/// Does the text hold a control character? Those of Unicode's second block (U+0080 to U+009F) and those that turn the
/// direction of writing (U+202A to U+202E, U+2066 to U+2069) count, too.
bool has_control(std::string_view text);

/// The text with every control character spelt out.
std::string one_line(std::string_view text);
/// The same for a whole report: line ends and tabs stay.
std::string plain_text(std::string_view text);

}  // namespace ersatz
