// Distances of each row to many other rows. distance_loops.inl is compiled once per instruction set and includes this
// header, which therefore has plain types only and no inline functions.
#pragma once

#include <stdint.h>

namespace ersatz {

/// The loops may read up to this many elements past the end of `columns`, so the caller allocates them.
constexpr int64_t kDistancePadding = 16;

/// Computes y[i, j] = (sum over c of |x[i, c] - columns[c, j]|^p)^(1/p).
template <class C>
struct DistanceProblem {
  const C* x = nullptr;  ///< [rows, m], row-major
  int64_t rows = 0, m = 0;
  const C* columns = nullptr;  ///< [m, others], with rows `pitch` elements apart
  int64_t others = 0, pitch = 0;
  C* y = nullptr;  ///< [rows, others], row-major
  double p = 2;
  /// for p = inf. true: a NaN difference makes the distance NaN. false: a NaN difference is ignored
  bool nan_counts = true;
};

struct DistanceLoopTable {
  void (*of_float)(const DistanceProblem<float>& problem) = nullptr;
  void (*of_double)(const DistanceProblem<double>& problem) = nullptr;
};

void fill_distance_loops_baseline(DistanceLoopTable& table);
void fill_distance_loops_avx2(DistanceLoopTable& table);
void fill_distance_loops_avx512(DistanceLoopTable& table);

}  // namespace ersatz
