// Pairs the entries of two sequences by a longest common subsequence, with Myers' algorithm ("An O(ND) Difference
// Algorithm", 1986).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ersatz::tools {

struct AlignedPair {
  int64_t a = -1, b = -1;  ///< indices in both sequences; -1: no counterpart
};

/// Keys of an entry, from its kind to the most specific key. Only entries of one kind can be paired. All entries have
/// the same number of keys.
using AlignmentKey = std::vector<std::string>;

/// Pairs entries with an equal last key first, in order. Between these pairs, entries with an equal next-to-last key
/// are paired, and so on down to the kind. Entries left on both sides are then paired in order: one replaced the other.
/// With more than a few thousand differences, entries are paired by index.
std::vector<AlignedPair> align(const std::vector<AlignmentKey>& a, const std::vector<AlignmentKey>& b);

}  // namespace ersatz::tools
