// Sums of rows for one instruction set: that of the file which includes this (bag_loops_baseline_cpu.cpp,
// bag_loops_avx2.cpp, bag_loops_avx512.cpp). Sums stay in registers; rows lie anywhere, so they are asked for ahead of
// time.
#include "kernels/indexing/bag_loops.h"
#include "kernels/vec/vec.h"

namespace ersatz {
namespace {

using vec::Vec;

constexpr int kAtOnce = 8;        // vectors of a row
constexpr int64_t kAhead = 8;     // rows
constexpr int64_t kLine = 64;     // bytes that one prefetch brings

/// Features from `first` on: `vectors` vectors, or `width` of them if that is less than one vector.
template <int vectors, class T>
int64_t sum_from(const Bag<T>& bag, int64_t first, int64_t width, T* sum) {
  constexpr int64_t w = Vec<T>::kLanes;
  const bool part = width < w;
  Vec<T> sums[vectors];
  for (Vec<T>& s : sums) s = Vec<T>(T(0));
  int64_t rows = 0;
  for (int64_t i = 0; i < bag.count; ++i) {
    if (i + kAhead < bag.known) {
      const T* const next = bag.table + bag.indices[i + kAhead] * bag.features + first;
      for (int64_t line = 0; line < vectors * w * int64_t{sizeof(T)}; line += kLine) {
        __builtin_prefetch(reinterpret_cast<const char*>(next) + line);
      }
    }
    if (bag.indices[i] == bag.padding) continue;
    ++rows;
    const T* const row = bag.table + bag.indices[i] * bag.features + first;
    for (int k = 0; k < vectors; ++k) {
      const Vec<T> x = part ? Vec<T>::load_part(row, width, T(0)) : Vec<T>::load(row + k * w);
      sums[k] = sums[k] + (bag.factors ? x * Vec<T>(bag.factors[i]) : x);
    }
  }
  for (int k = 0; k < vectors; ++k) part ? sums[k].store_part(sum + first, width) : sums[k].store(sum + first + k * w);
  return rows;
}

template <class T>
int64_t sum_of_rows(const Bag<T>& bag, T* sum) {
  constexpr int64_t w = Vec<T>::kLanes;
  int64_t f = 0, rows = 0;
  for (; f + kAtOnce * w <= bag.features; f += kAtOnce * w) rows = sum_from<kAtOnce>(bag, f, w, sum);
  for (; f < bag.features; f += w) rows = sum_from<1>(bag, f, bag.features - f, sum);
  return rows;
}

void fill_bag_loops(BagLoopTable& table) {
  table.of_float = sum_of_rows<float>;
  table.of_double = sum_of_rows<double>;
}

}  // namespace
}  // namespace ersatz
