// Shortens the paths of source lines, but keeps different paths different.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace ersatz::tools {

/// Made from a report's source lines, like `/home/me/models/gpt/block.py:17 in forward: x = self.ln(x)`. Shortens each
/// path to the fewest last components that no other path ends with: `block.py:17 in forward: ...` if there is one
/// block.py, `gpt/block.py:17 ...` if there are two. JSON reports keep whole paths.
class ShortPaths {
 public:
  explicit ShortPaths(std::span<const std::string> sources);

  /// Returns the source line with its path shortened. If the path is unknown, the line is unchanged.
  std::string operator()(std::string_view source) const;

 private:
  std::map<std::string, std::string, std::less<>> short_;  // whole path -> shortened path
};

/// Returns the path at the start of a source line, before `:` and a line number; empty if there is none.
std::string_view path_of_source(std::string_view source);

}  // namespace ersatz::tools
