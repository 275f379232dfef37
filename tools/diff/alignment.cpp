#include "tools/diff/alignment.h"

#include <algorithm>

namespace ersatz::tools {

namespace {

constexpr int64_t kMostDifferences = 2000;  // the trace takes the square of them

/// Places of a common subsequence, longest unless there are too many differences.
std::vector<AlignedPair> common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const int64_t n = static_cast<int64_t>(a.size()), m = static_cast<int64_t>(b.size());
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
      while (x < n && x - k < m && x - k >= 0 && a[static_cast<size_t>(x)] == b[static_cast<size_t>(x - k)]) ++x;
      at(furthest, k) = x;
      if (x >= n && x - k >= m) {
        found = d;
        break;
      }
    }
  }
  std::vector<AlignedPair> pairs;
  if (found < 0) {  // too different: by place
    for (int64_t i = 0; i < std::min(n, m); ++i) {
      if (a[static_cast<size_t>(i)] == b[static_cast<size_t>(i)]) pairs.push_back({i, i});
    }
    return pairs;
  }
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

}  // namespace

std::vector<AlignedPair> align(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<AlignedPair> pairs = common(a, b), all;
  pairs.push_back({static_cast<int64_t>(a.size()), static_cast<int64_t>(b.size())});
  int64_t x = 0, y = 0;
  for (const AlignedPair& p : pairs) {
    while (x < p.a && y < p.b) all.push_back({x++, y++});
    while (x < p.a) all.push_back({x++, -1});
    while (y < p.b) all.push_back({-1, y++});
    if (p.a < static_cast<int64_t>(a.size()) && p.b < static_cast<int64_t>(b.size())) all.push_back({x++, y++});
  }
  return all;
}

}  // namespace ersatz::tools
