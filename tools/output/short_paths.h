// Source lines with paths as short as can be told apart.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace ersatz::tools {

/// Knows the source lines of a report, `/home/me/models/gpt/block.py:17 in forward: x = self.ln(x)`, and writes each
/// with the last parts of its path that no other path of the report ends with: `block.py:17 in forward: ...` where
/// there is one block.py, `gpt/block.py:17 ...` where there are two. JSON reports keep whole paths.
class ShortPaths {
 public:
  explicit ShortPaths(std::span<const std::string> sources);

  /// As it was given where it begins with no path that is known.
  std::string operator()(std::string_view source) const;

 private:
  std::map<std::string, std::string, std::less<>> short_;  // whole paths -> what is written
};

/// The path that a source line begins with, up to `:` and a line number; empty where it begins with none.
std::string_view path_of_source(std::string_view source);

}  // namespace ersatz::tools
