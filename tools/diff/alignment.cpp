#include "tools/diff/alignment.h"

#include <algorithm>
#include <optional>

namespace ersatz::tools {

namespace {

constexpr int64_t kMostDifferences = 2000;  // the memory for `trace` grows with the square of this number

/// Returns the index pairs of a longest common subsequence of two sequences with `n` and `m` elements. nullopt if the
/// sequences have more than kMostDifferences differences.
template <class Same>
std::optional<std::vector<AlignedPair>> common(int64_t n, int64_t m, const Same& same) {
  const int64_t most = std::min(n + m, kMostDifferences);
  std::vector<int64_t> furthest(static_cast<size_t>(2 * most + 3), 0);
  const auto at = [&](std::vector<int64_t>& v, int64_t k) -> int64_t& { return v[static_cast<size_t>(k + most + 1)]; };
  // For each number d of differences: the part of `furthest` that step d reads, as it was before the step.
  std::vector<std::vector<int64_t>> trace;
  int64_t found = -1;
  for (int64_t d = 0; d <= most && found < 0; ++d) {
    trace.emplace_back(furthest.begin() + (most + 1 - d - 1), furthest.begin() + (most + 1 + d + 2));
    for (int64_t k = -d; k <= d; k += 2) {
      const bool down = k == -d || (k != d && at(furthest, k - 1) < at(furthest, k + 1));
      int64_t x = down ? at(furthest, k + 1) : at(furthest, k - 1) + 1;
      while (x < n && x - k < m && x - k >= 0 && same(x, x - k)) ++x;
      at(furthest, k) = x;
      if (x >= n && x - k >= m) {
        found = d;
        break;
      }
    }
  }
  if (found < 0) return std::nullopt;
  std::vector<AlignedPair> pairs;
  int64_t x = n, y = m;
  for (int64_t d = found; d >= 0; --d) {
    const std::vector<int64_t>& v = trace[static_cast<size_t>(d)];  // the diagonals from -d-1 to d+1
    const auto was = [&](int64_t k) { return v[static_cast<size_t>(k + d + 1)]; };
    const int64_t k = x - y;
    const bool down = d == 0 || k == -d || (k != d && was(k - 1) < was(k + 1));
    const int64_t from_k = d == 0 ? 0 : down ? k + 1 : k - 1;
    const int64_t from_x = d == 0 ? 0 : was(from_k), from_y = from_x - from_k;
    while (x > from_x && y > from_y) pairs.push_back({--x, --y});
    if (d > 0) {
      x = from_x;
      y = from_y;
    }
  }
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

class Alignment {
 public:
  Alignment(const std::vector<AlignmentKey>& a, const std::vector<AlignmentKey>& b) : a_(a), b_(b) {}

  std::vector<AlignedPair> run() {
    const auto n = static_cast<int64_t>(a_.size()), m = static_cast<int64_t>(b_.size());
    const size_t levels = n && m ? a_[0].size() : 1;
    between({0, 0}, {n, m}, levels - 1);
    return std::move(all_);
  }

 private:
  /// Pairs the elements between the pairs `from` and `to`. Two elements are equal if their keys at index `level` are
  /// equal.
  void between(AlignedPair from, AlignedPair to, size_t level) {
    if (from.a == to.a || from.b == to.b) return place(from, to);
    const auto same = [&](int64_t i, int64_t j) {
      const AlignmentKey &x = a_[static_cast<size_t>(from.a + i)], &y = b_[static_cast<size_t>(from.b + j)];
      return x[0] == y[0] && x[level] == y[level];
    };
    const int64_t n = to.a - from.a, m = to.b - from.b;
    std::optional<std::vector<AlignedPair>> pairs = common(n, m, same);
    if (!pairs) {  // too many differences: the next key is tried and, after the last key, elements are paired by index
      pairs.emplace();
      for (int64_t i = 0; level == 0 && i < std::min(n, m); ++i) {
        if (same(i, i)) pairs->push_back({i, i});
      }
    }
    AlignedPair last = from;
    const auto gap = [&](AlignedPair end) { level == 0 ? place(last, end) : between(last, end, level - 1); };
    for (const AlignedPair& p : *pairs) {
      gap({from.a + p.a, from.b + p.b});
      all_.push_back({from.a + p.a, from.b + p.b});
      last = {from.a + p.a + 1, from.b + p.b + 1};
    }
    gap(to);
  }

  /// Pairs the remaining elements by index. The rest of the longer sequence has no counterpart.
  void place(AlignedPair from, AlignedPair to) {
    while (from.a < to.a && from.b < to.b) all_.push_back({from.a++, from.b++});
    while (from.a < to.a) all_.push_back({from.a++, -1});
    while (from.b < to.b) all_.push_back({-1, from.b++});
  }

  const std::vector<AlignmentKey>&a_, &b_;
  std::vector<AlignedPair> all_;
};

}  // namespace

std::vector<AlignedPair> align(const std::vector<AlignmentKey>& a, const std::vector<AlignmentKey>& b) {
  return Alignment(a, b).run();
}

}  // namespace ersatz::tools
