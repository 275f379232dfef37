#include "runtime/base/process_group.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <mutex>

#include "runtime/base/error.h"

namespace ersatz {

const ProcessGroups* ProcessGroups::of(std::vector<ProcessGroup> groups) {
  for (size_t i = 0; i < groups.size(); ++i) {
    const ProcessGroup& g = groups[i];
    if (g.size < 1 || g.rank < 0 || g.rank >= g.size)
      fail_argument("group '{}': rank {} must be below the size, {}", g.name, g.rank, g.size);
    const auto same = [&](const ProcessGroup& other) { return other.name == g.name; };
    if (std::any_of(groups.begin(), groups.begin() + static_cast<ptrdiff_t>(i), same))
      fail_argument("group '{}' is there twice", g.name);
  }
  static std::mutex mutex;
  static std::vector<std::unique_ptr<ProcessGroups>> known;
  const std::scoped_lock lock(mutex);
  for (const auto& list : known) {
    if (list->groups_ == groups) return list.get();
  }
  return known.emplace_back(new ProcessGroups(std::move(groups))).get();
}

const ProcessGroup* ProcessGroups::find(std::string_view name) const {
  const auto at = std::find_if(groups_.begin(), groups_.end(), [&](const ProcessGroup& g) { return g.name == name; });
  return at == groups_.end() ? nullptr : &*at;
}

ProcessGroup parse_process_group(std::string_view text) {
  std::vector<std::string_view> parts(1);
  for (size_t i = 0, start = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != ':') continue;
    parts.back() = text.substr(start, i - start);
    start = i + 1;
    if (i < text.size()) parts.emplace_back();
  }
  const auto number = [&](std::string_view part) {
    int64_t value = -1;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size())
      fail_argument("a group is NAME:SIZE:RANK or NAME:SIZE:RANK:BACKEND, as 0:2:1:gloo: not '{}'", text);
    return value;
  };
  if (parts.size() < 3 || parts.size() > 4) number("");
  return {std::string(parts[0]), number(parts[1]), number(parts[2]),
          parts.size() == 4 ? std::string(parts[3]) : std::string()};
}

}  // namespace ersatz
