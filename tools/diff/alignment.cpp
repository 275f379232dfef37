#include "tools/diff/alignment.h"

#include <algorithm>
#include <optional>

namespace ersatz::tools {

namespace {

constexpr int64_t kMostDifferences = 2000;  // the trace takes the square of them

/// Places of a longest common subsequence of `n` and `m` entries; none where there are too many differences.
template <class Same>
std::optional<std::vector<AlignedPair>> common(int64_t n, int64_t m, const Same& same) {
  const int64_t most = std::min(n + m, kMostDifferences);
  std::vector<int64_t> furthest(static_cast<size_t>(2 * most + 3), 0);
  const auto at = [&](std::vector<int64_t>& v, int64_t k) -> int64_t& { return v[static_cast<size_t>(k + most + 1)]; };
  std::vector<std::vector<int64_t>> trace;  // of each number of differences, the part that it changes
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
    const std::vector<int64_t>& v = trace[static_cast<size_t>(d)];  // diagonals -d-1 to d+1
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

/// The entries of both from the pair `from` up to the pair `to`, by their kinds.
void align_gap(const std::vector<AlignmentKey>& a, const std::vector<AlignmentKey>& b, AlignedPair from, AlignedPair to,
               std::vector<AlignedPair>& all) {
  const int64_t n = to.a - from.a, m = to.b - from.b;
  const auto same = [&](int64_t i, int64_t j) {
    return a[static_cast<size_t>(from.a + i)].kind == b[static_cast<size_t>(from.b + j)].kind;
  };
  std::optional<std::vector<AlignedPair>> pairs = common(n, m, same);
  if (!pairs) {  // too different: by place
    pairs.emplace();
    for (int64_t i = 0; i < std::min(n, m); ++i) {
      if (same(i, i)) pairs->push_back({i, i});
    }
  }
  pairs->push_back({n, m});
  int64_t x = 0, y = 0;
  for (const AlignedPair& p : *pairs) {
    while (x < p.a && y < p.b) all.push_back({from.a + x++, from.b + y++});
    while (x < p.a) all.push_back({from.a + x++, -1});
    while (y < p.b) all.push_back({-1, from.b + y++});
    if (p.a < n && p.b < m) all.push_back({from.a + x++, from.b + y++});
  }
}

}  // namespace

std::vector<AlignedPair> align(const std::vector<AlignmentKey>& a, const std::vector<AlignmentKey>& b) {
  const auto n = static_cast<int64_t>(a.size()), m = static_cast<int64_t>(b.size());
  const auto alike = [&](int64_t i, int64_t j) {
    const AlignmentKey &x = a[static_cast<size_t>(i)], &y = b[static_cast<size_t>(j)];
    return x.kind == y.kind && x.content == y.content;
  };
  std::vector<AlignedPair> anchors = common(n, m, alike).value_or(std::vector<AlignedPair>());
  std::vector<AlignedPair> all;
  AlignedPair from{0, 0};
  for (const AlignedPair& anchor : anchors) {
    align_gap(a, b, from, anchor, all);
    all.push_back(anchor);
    from = {anchor.a + 1, anchor.b + 1};
  }
  align_gap(a, b, from, {n, m}, all);
  return all;
}

}  // namespace ersatz::tools
