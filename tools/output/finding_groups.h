// Findings that have one cause: the same operator, field and message.
#pragma once

#include <span>
#include <vector>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

struct FindingGroup {
  std::vector<size_t> findings;  ///< places in the list, in its order; never empty
};

/// Groups in the order of their first findings. Findings for which `left_out` (as long as the list, or empty) says so
/// belong to no group.
std::vector<FindingGroup> group_findings(std::span<const Finding> findings, const std::vector<bool>& left_out = {});

/// `a, b, c and 12 more`: where the group's findings were made, each name once.
std::string nodes_of(std::span<const Finding> findings, const FindingGroup& group, size_t most = 8);

}  // namespace ersatz::tools
