// Sums of rows for one instruction set, which the including file selects (bag_loops_baseline_cpu.cpp,
// bag_loops_avx2.cpp, bag_loops_avx512.cpp). Sums stay in registers. Rows are at random addresses, so they are
// prefetched into the L2 cache; the L1 cache has only a short queue of misses.
#include "kernels/indexing/bag_loops.h"
#include "kernels/vec/lanes.h"

namespace ersatz {
namespace {

using vec::unrolled;
using vec::Vec;

constexpr int kAtOnce = 8;       // vectors of a row that are summed together
constexpr int64_t kAhead = 16;   // distance of the prefetch, in rows
constexpr int64_t kLine = 64;    // bytes of a prefetch
constexpr int kSecondCache = 2;  // the prefetch argument for L2

/// Sums, for all bags, the features from `first` on. The number of features is that of `vectors` vectors, or `width` if
/// that is less than one vector.
template <int vectors, bool weighted, class T>
void sum_from(const BagsOfRows<T>& bags, int64_t first, int64_t width, T* sums, int64_t* counts) {
  constexpr int64_t w = Vec<T>::kLanes;
  const bool part = vectors == 1 && width < w;
  const auto [table, features, indices, known, padding, factors, count, begins, ends] = bags;
  for (int64_t b = 0; b < count; ++b) {
    Vec<T> sum[vectors];
    unrolled<vectors>([&](int k) { sum[k] = Vec<T>(T(0)); });
    const int64_t begin = begins[b], end = ends[b];
    int64_t rows = 0;
    for (int64_t i = begin; i < end; ++i) {
      if (i + kAhead < known) {
        const T* const next = table + indices[i + kAhead] * features + first;
        for (int64_t line = 0; line < vectors * w * int64_t{sizeof(T)}; line += kLine) {
          __builtin_prefetch(reinterpret_cast<const char*>(next) + line, 0, kSecondCache);
        }
      }
      if (indices[i] == padding) continue;
      ++rows;
      const T* const row = table + indices[i] * features + first;
      const Vec<T> factor(weighted ? factors[i] : T(1));
      unrolled<vectors>([&](int k) {
        const Vec<T> x = part ? Vec<T>::load_part(row, width, T(0)) : Vec<T>::load(row + k * w);
        sum[k] = sum[k] + (weighted ? x * factor : x);
      });
    }
    T* const to = sums + b * features + first;
    unrolled<vectors>([&](int k) { part ? sum[k].store_part(to, width) : sum[k].store(to + k * w); });
    counts[b] = rows;
  }
}

template <bool weighted, class T>
void sum_all(const BagsOfRows<T>& bags, T* sums, int64_t* counts) {
  constexpr int64_t w = Vec<T>::kLanes;
  int64_t f = 0;
  for (; f + kAtOnce * w <= bags.features; f += kAtOnce * w) sum_from<kAtOnce, weighted>(bags, f, w, sums, counts);
  for (; f < bags.features; f += w) sum_from<1, weighted>(bags, f, bags.features - f, sums, counts);
}
template <class T>
void sum_bags(const BagsOfRows<T>& bags, T* sums, int64_t* counts) {
  bags.factors ? sum_all<true>(bags, sums, counts) : sum_all<false>(bags, sums, counts);
}

void fill_bag_loops(BagLoopTable& table) {
  table.of_float = sum_bags<float>;
  table.of_double = sum_bags<double>;
}

}  // namespace
}  // namespace ersatz
