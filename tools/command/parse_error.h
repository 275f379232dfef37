// What a command line that cannot be parsed is told: one line, with what was probably meant.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace ersatz::tools {

/// `ersatz crosscheck: there is no option --devce; did you mean --device? (ersatz crosscheck --help lists them)`. `app`
/// is the program's, as it was when its parse raised `error`.
std::string parse_error_line(const CLI::App& app, const CLI::ParseError& error);

}  // namespace ersatz::tools
