// Distances of rows from many others, compiled once per instruction set (distance_loops.inl). Included by those files
// too: plain types only, no inline functions.
#pragma once

#include <stdint.h>

namespace ersatz {

/// Elements behind the last one of `columns` that may be read.
constexpr int64_t kDistancePadding = 16;

/// y[i, j] = (sum over c of |x[i, c] - columns[c, j]|^p)^(1/p).
template <class C>
struct DistanceProblem {
  const C* x = nullptr;  ///< [rows, m], row-major
  int64_t rows = 0, m = 0;
  const C* columns = nullptr;  ///< [m, others], rows `pitch` apart
  int64_t others = 0, pitch = 0;
  C* y = nullptr;  ///< [rows, others], row-major
  double p = 2;
  bool nan_counts = true;  ///< for p = inf: is a difference of NaN the largest, or none?
};

struct DistanceLoopTable {
  void (*of_float)(const DistanceProblem<float>& problem) = nullptr;
  void (*of_double)(const DistanceProblem<double>& problem) = nullptr;
};

void fill_distance_loops_baseline(DistanceLoopTable& table);
void fill_distance_loops_avx2(DistanceLoopTable& table);
void fill_distance_loops_avx512(DistanceLoopTable& table);

}  // namespace ersatz
