// A text report as a terminal gets it: in colour, no wider than it need be, or only what matters.
//
// All of this works on the text that a command made, by the form that reports have: a line that begins with `finding:`,
// `missing:` and so on heads what is indented below it, and the last line is the closing one, `COMMAND: counts`.
#pragma once

#include <string>
#include <string_view>

namespace ersatz::tools {

/// The closing line with its end; empty where the text does not end with one (`show` prints a program).
std::string_view closing_line_of(std::string_view text, std::string_view command);

/// Heads, source lines and the closing line in colour; `status` is the envelope's.
std::string painted(std::string_view text, std::string_view command, std::string_view status);

/// Source lines behind a row (`  # model.py:17: ...`) are cut where they pass the last column; nothing else ever is. 0
/// columns: no limit.
std::string cut_sources(std::string_view text, size_t columns);

}  // namespace ersatz::tools
