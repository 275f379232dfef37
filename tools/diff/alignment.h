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

struct AlignmentKey {
  std::string kind;     ///< entries of one kind may stand for each other
  std::string content;  ///< those that are alike in this too do so first
};

/// Entries that are alike are paired first, in order; between these, entries of one kind. What was removed and what was
/// added stand beside each other then, one to one as far as both go: an entry that was replaced. Where there are more
/// than a few thousand differences, entries are paired by their places.
std::vector<AlignedPair> align(const std::vector<AlignmentKey>& a, const std::vector<AlignmentKey>& b);

}  // namespace ersatz::tools
