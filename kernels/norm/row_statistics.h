// Mean and variance of contiguous elements, for layer and group normalisation.
//
// Several independent sums let compilers vectorise. Long rows are summed in parts, so that sums in f32 stay accurate.
#pragma once

#include <cstdint>
#include <limits>

namespace ersatz {

/// Returns the sum over i of term(x[i]). Parts of 1024 elements are summed in `Acc`, and the sums of the parts in
/// double.
template <class Acc, class T, class Term>
double piecewise_sum(const T* x, int64_t n, Term&& term) {
  constexpr int64_t kLanes = 16, kPiece = 1024;
  double total = 0;
  for (int64_t begin = 0; begin < n; begin += kPiece) {
    const int64_t end = begin + kPiece < n ? begin + kPiece : n;
    Acc lanes[kLanes] = {};
    int64_t i = begin;
    for (; i + kLanes <= end; i += kLanes) {
      for (int64_t l = 0; l < kLanes; ++l) lanes[l] += term(Acc(x[i + l]));
    }
    for (; i < end; ++i) lanes[0] += term(Acc(x[i]));
    for (Acc lane : lanes) total += double(lane);
  }
  return total;
}

struct RowStatistics {
  double mean, variance;  ///< variance: the sum of squared deviations divided by n
};

/// Computes the statistics in two passes, to avoid cancellation. For n = 0 the mean is 0 and the variance NaN.
template <class Acc, class T>
RowStatistics row_statistics(const T* x, int64_t n) {
  if (n == 0) return {0, std::numeric_limits<double>::quiet_NaN()};
  const double mean = piecewise_sum<Acc>(x, n, [](Acc v) { return v; }) / double(n);
  const Acc center = Acc(mean);
  const double squares = piecewise_sum<Acc>(x, n, [center](Acc v) { return (v - center) * (v - center); });
  return {mean, squares / double(n)};
}

}  // namespace ersatz
