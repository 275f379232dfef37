// Groups findings that have one cause: the same operator, field and message.
#pragma once

#include <span>
#include <vector>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

struct FindingGroup {
  std::vector<size_t> findings;  ///< indices of findings in order; never empty
};

/// The groups in the order of their first findings. `left_out`: empty, or for each finding whether it is in no group.
std::vector<FindingGroup> group_findings(std::span<const Finding> findings, const std::vector<bool>& left_out = {});

/// The nodes of the group's findings, each name once: `a, b, c and 12 more`.
std::string nodes_of(std::span<const Finding> findings, const FindingGroup& group, size_t most = 8);

}  // namespace ersatz::tools
