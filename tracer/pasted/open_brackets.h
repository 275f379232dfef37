// Brackets and quotes of Python's text, for finding out where a statement ends before it is parsed.
#pragma once

#include <string>
#include <string_view>

namespace ersatz::pasted {

/// The end of the string that begins at `at`, behind its quote; npos: it is not closed.
size_t string_end(std::string_view text, size_t at);

/// The brackets that are open at the end of a line. Raises InvalidArgument where one is closed by another kind.
struct OpenBrackets {
  std::string open;
  void read(std::string_view line);
};

/// Does the line close all brackets and quotes that it opens, and no other?
bool is_balanced(std::string_view line);

}  // namespace ersatz::pasted
