// Sums of rows for one instruction set: that of the file which includes this (bag_loops_baseline_cpu.cpp,
// bag_loops_avx2.cpp, bag_loops_avx512.cpp). Sums stay in registers; rows lie anywhere, so they are asked for ahead of
// time, into the second cache: the first one's queue of misses is short.
#include "kernels/indexing/bag_loops.h"
#include "kernels/vec/lanes.h"

namespace ersatz {
namespace {

using vec::unrolled;
using vec::Vec;

constexpr int kAtOnce = 8;        // vectors of a row
constexpr int64_t kAhead = 16;    // rows
constexpr int64_t kLine = 64;     // bytes that one prefetch brings
constexpr int kSecondCache = 2;   // its argument

/// Features from `first` on of all bags: `vectors` vectors, or `width` of them if that is less than one vector.
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
