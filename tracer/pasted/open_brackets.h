// Tracks brackets and quotes in Python text, to find the end of a statement before the statement is parsed.
#pragma once

#include <string>
#include <string_view>

namespace ersatz::pasted {

/// Returns the index after the closing quote of the string that begins at `at`; npos if it is not closed.
size_t string_end(std::string_view text, size_t at);

/// The closing brackets that are still missing after the lines read so far. `read` RAISES InvalidArgument if a bracket
/// is closed by a bracket of another kind.
struct OpenBrackets {
  std::string open;
  void read(std::string_view line);
};

/// Returns whether the line closes exactly the brackets and quotes that it opens.
bool is_balanced(std::string_view line);

}  // namespace ersatz::pasted
