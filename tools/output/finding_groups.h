// Groups findings that have the same operator, field and cause_of().
#pragma once

#include <span>
#include <vector>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

struct FindingGroup {
  std::vector<size_t> findings;  ///< indices of the findings in order; never empty
};

/// Returns groups, in the order of their first findings. `left_out` is empty or has, for each finding, true if it
/// belongs to no group.
std::vector<FindingGroup> group_findings(std::span<const Finding> findings, const std::vector<bool>& left_out = {});

/// Returns the names of the nodes of the group's findings, each once: `a, b, c and 12 more`.
std::string nodes_of(std::span<const Finding> findings, const FindingGroup& group, size_t most = 8);

}  // namespace ersatz::tools
