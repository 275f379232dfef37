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

/// The keys of one element, from its kind to its most specific key. Only elements of one kind can be paired. All
/// elements have the same number of keys.
using AlignmentKey = std::vector<std::string>;

/// Pairs elements whose last keys are equal first, in order. Between these pairs, elements with an equal next-to-last
/// key are paired, and so on down to the first key, the kind. Elements that are left in both sequences are then paired
/// in order, because one probably replaced the other. If there are too many differences (a few thousand), elements are
/// paired by index.
std::vector<AlignedPair> align(const std::vector<AlignmentKey>& a, const std::vector<AlignmentKey>& b);

}  // namespace ersatz::tools
