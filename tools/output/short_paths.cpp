#include "tools/output/short_paths.h"

#include <set>

namespace ersatz::tools {

namespace {

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

/// Returns the last `parts` components of a path; the whole path if it has fewer.
std::string_view tail(std::string_view path, size_t parts) {
  size_t at = path.size();
  while (parts-- > 0) {
    at = at == 0 ? path.npos : path.rfind('/', at - 1);
    if (at == path.npos) return path;
  }
  return path.substr(at + 1);
}

}  // namespace

std::string_view path_of_source(std::string_view source) {
  for (size_t at = source.find(':'); at != source.npos; at = source.find(':', at + 1)) {
    if (at > 0 && at + 1 < source.size() && is_decimal(source[at + 1])) return source.substr(0, at);
  }
  return "";
}

ShortPaths::ShortPaths(std::span<const std::string> sources) {
  std::set<std::string_view> left;
  for (const std::string& source : sources) {
    if (const std::string_view path = path_of_source(source); !path.empty()) left.insert(path);
  }
  // Shortens each path to its last `parts` components if no other path ends with these. A path that is the end of
  // another path is never shortened.
  for (size_t parts = 1; !left.empty(); ++parts) {
    std::map<std::string_view, int> times;
    for (const std::string_view path : left) ++times[tail(path, parts)];
    for (auto it = left.begin(); it != left.end();) {
      const std::string_view end = tail(*it, parts);
      const bool settled = times[end] == 1 || end.size() == it->size();
      if (settled) short_.emplace(*it, end);
      it = settled ? left.erase(it) : std::next(it);
    }
  }
}

std::string ShortPaths::operator()(std::string_view source) const {
  const auto found = short_.find(path_of_source(source));
  if (found == short_.end()) return std::string(source);
  return found->second + std::string(source.substr(found->first.size()));
}

}  // namespace ersatz::tools
