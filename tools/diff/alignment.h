// Which entries of one sequence stand for which of another: a longest common subsequence, found as Myers does
// ("An O(ND) Difference Algorithm", 1986).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ersatz::tools {

struct AlignedPair {
  int64_t a = -1, b = -1;  ///< places in both; -1: the other one has nothing there
};

/// Entries with equal keys are paired, in order. Between these, what was removed and what was added stand beside each
/// other, one to one as far as both go: an entry that was replaced. Sequences with more than a few thousand differences
/// are paired by their places from there on.
std::vector<AlignedPair> align(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace ersatz::tools
