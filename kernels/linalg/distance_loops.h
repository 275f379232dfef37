// Distances of each row to many other rows, compiled once per instruction set (distance_loops.inl). The .inl files
// include this header too, so it has plain types only and no inline functions.
#pragma once

#include <stdint.h>

namespace ersatz {

/// The loops may read this many elements after the last one of `columns`.
constexpr int64_t kDistancePadding = 16;

/// y[i, j] = (sum over c of |x[i, c] - columns[c, j]|^p)^(1/p).
template <class C>
struct DistanceProblem {
  const C* x = nullptr;  ///< [rows, m], row-major
  int64_t rows = 0, m = 0;
  const C* columns = nullptr;  ///< [m, others], row-major with stride `pitch`
  int64_t others = 0, pitch = 0;
  C* y = nullptr;  ///< [rows, others], row-major
  double p = 2;
  bool nan_counts = true;  ///< for p = inf: a difference of NaN makes the distance NaN, else it is ignored
};

struct DistanceLoopTable {
  void (*of_float)(const DistanceProblem<float>& problem) = nullptr;
  void (*of_double)(const DistanceProblem<double>& problem) = nullptr;
};

void fill_distance_loops_baseline(DistanceLoopTable& table);
void fill_distance_loops_avx2(DistanceLoopTable& table);
void fill_distance_loops_avx512(DistanceLoopTable& table);

}  // namespace ersatz
