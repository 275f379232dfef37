// The error line for a command line that cannot be parsed, with a suggestion.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace ersatz::tools {

/// Returns a line like `ersatz crosscheck: there is no option --devce; did you mean --device? (...)`. REQUIRES: parsing
/// with `app`, the whole program's CLI::App, raised `error`.
std::string parse_error_line(const CLI::App& app, const CLI::ParseError& error);

}  // namespace ersatz::tools
