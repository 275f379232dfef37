// Escapes untrusted text, for example names from a loaded file, for reports and errors.
//
// Control characters are written as escapes, `\n` or `\x1b`, so that they cannot end a line or control a terminal.
#pragma once

#include <string>
#include <string_view>

namespace ersatz {

/// Returns whether the text has a control character, including U+0080 to U+009F. The characters that change the writing
/// direction (U+202A to U+202E, U+2066 to U+2069) count too.
bool has_control(std::string_view text);

/// Returns the text with each control character escaped.
std::string one_line(std::string_view text);
/// Returns the text with control characters escaped, except line ends and tabs.
std::string plain_text(std::string_view text);

}  // namespace ersatz
