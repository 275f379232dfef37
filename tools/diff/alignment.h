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

/// What an entry is, from its kind (entries of one kind may stand for each other) to what tells it apart best. Each
/// entry has as many.
using AlignmentKey = std::vector<std::string>;

/// Entries of one kind that are alike in the last of their keys are paired first, in order; between these, those that
/// are alike in the one before, and in the end those of one kind. What was removed and what was added stand beside each
/// other then, one to one as far as both go: an entry that was replaced. Where there are more than a few thousand
/// differences, entries are paired by their places.
std::vector<AlignedPair> align(const std::vector<AlignmentKey>& a, const std::vector<AlignmentKey>& b);

}  // namespace ersatz::tools
