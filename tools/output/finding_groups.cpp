#include "tools/output/finding_groups.h"

#include <algorithm>
#include <map>

#include "tools/output/finding_cause.h"

namespace ersatz::tools {

std::vector<FindingGroup> group_findings(std::span<const Finding> findings, const std::vector<bool>& left_out) {
  std::map<std::tuple<std::string_view, FindingField, std::string>, size_t> places;
  std::vector<FindingGroup> groups;
  for (size_t i = 0; i < findings.size(); ++i) {
    if (i < left_out.size() && left_out[i]) continue;
    const Finding& f = findings[i];
    const auto [at, is_new] = places.try_emplace({f.op, f.field, cause_of(f)}, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].findings.push_back(i);
  }
  return groups;
}

std::string nodes_of(std::span<const Finding> findings, const FindingGroup& group, size_t most) {
  std::vector<std::string_view> names;
  for (size_t i : group.findings) {
    const std::string_view name = findings[i].node;
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  const size_t shown = std::min(most, names.size());
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<ptrdiff_t>(shown), ", "));
  return names.size() > shown ? text + fmt::format(" and {} more", names.size() - shown) : text;
}

}  // namespace ersatz::tools
