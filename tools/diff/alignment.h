// Pairs the elements of two sequences by a longest common subsequence, with Myers' algorithm ("An O(ND) Difference
// Algorithm", 1986).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ersatz::tools {

struct AlignedPair {
  int64_t a = -1, b = -1;  ///< indices in both sequences; -1: no counterpart
};

/// The keys of one element. The first key is its kind, and each following key is more specific. Only elements of equal
/// kind can be paired. All elements have equally many keys.
using AlignmentKey = std::vector<std::string>;

/// First pairs elements whose last keys are equal, in order. Between these pairs, elements with an equal next-to-last
/// key are paired, and so on down to the first key, the kind. Elements that are left in both sequences are then paired
/// in order, because one probably replaced the other. If there are too many differences (a few thousand), elements are
/// paired by index.
std::vector<AlignedPair> align(const std::vector<AlignmentKey>& a, const std::vector<AlignmentKey>& b);

}  // namespace ersatz::tools
