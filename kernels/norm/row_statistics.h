// Mean and variance of contiguous elements, for layer and group normalisation.
//
// Several independent sums let compilers vectorise. Long rows are summed in pieces, so that f32 stays accurate.
#pragma once

#include <cstdint>
#include <limits>

namespace ersatz {

/// The sum over i of term(x[i]), in pieces of 1024 elements. `Acc` sums a piece, double sums the pieces.
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
  double mean, variance;  ///< with divisor n
};

/// Uses two passes, to avoid cancellation. For n = 0: mean 0, variance NaN.
template <class Acc, class T>
RowStatistics row_statistics(const T* x, int64_t n) {
  if (n == 0) return {0, std::numeric_limits<double>::quiet_NaN()};
  const double mean = piecewise_sum<Acc>(x, n, [](Acc v) { return v; }) / double(n);
  const Acc center = Acc(mean);
  const double squares = piecewise_sum<Acc>(x, n, [center](Acc v) { return (v - center) * (v - center); });
  return {mean, squares / double(n)};
}

}  // namespace ersatz
