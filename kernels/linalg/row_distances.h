// Distances between rows, for the CPU and CUDA: the arithmetic of a distance, and the pairs of rows.
#pragma once

#include <cmath>
#include <limits>

#include "kernels/dense_operand.h"
#include "kernels/linalg/column_major.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/quotient.h"
#include "runtime/base/host_device.h"

namespace ersatz {

/// The arithmetic of the p-norm: finish(add(add(0, |x0 - y0|), |x1 - y1|) ...) is the distance of x and y. For p = 0, a
/// NaN counts as a differing element. For p = inf, a NaN is never the largest difference, like in at::cdist on CUDA.
/// The CPU computes distances with distance_loops.inl instead.
template <class Real>
struct RowNorm {
  enum Kind : uint8_t { Count, Sum, Squares, Largest, Powers };
  Kind kind;
  Real p;

  explicit RowNorm(double p)
      : kind(p == 0                                         ? Count
             : p == 1                                       ? Sum
             : p == 2                                       ? Squares
             : p == std::numeric_limits<double>::infinity() ? Largest
                                                            : Powers),
        p(static_cast<Real>(p)) {}

  ERSATZ_HD Real add(Real sum, Real size) const {
    switch (kind) {
      case Count:
        return sum + Real(size != 0);
      case Sum:
        return sum + size;
      case Squares:
        return sum + size * size;
      case Largest:
        return larger(sum, size);
      default:
        return sum + std::pow(size, p);
    }
  }
  /// Combines two partial sums (for p = inf, two maxima).
  ERSATZ_HD Real operator()(Real a, Real b) const { return kind == Largest ? larger(a, b) : a + b; }
  ERSATZ_HD Real finish(Real sum) const {
    return kind == Squares ? std::sqrt(sum) : kind == Powers ? std::pow(sum, 1 / p) : sum;
  }
  /// Returns the derivative of a distance with respect to one difference, times `grad`.
  ERSATZ_HD Real slope(Real diff, Real grad, Real distance) const {
    const Real sign = diff > 0 ? Real(1) : diff < 0 ? Real(-1) : Real(0), size = std::fabs(diff);
    if (kind == Sum) return sign * grad;
    if (kind == Count || distance == 0) return 0;
    if (kind == Squares) return grad * diff / distance;
    if (kind == Largest) return size == distance ? sign * grad : 0;
    if (p < 1 && diff == 0) return 0;
    return sign * std::pow(size, p - 1) * grad / std::pow(distance, p - 1);
  }

 private:
  ERSATZ_HD static Real larger(Real a, Real b) { return b > a ? b : a; }
};

/// The pairs of rows that have a distance. If `within` is true, all pairs of rows of one matrix: 01, 02, ... 12, ...
/// Otherwise each of `rows` rows of a matrix with each of `others` rows of a second matrix, for each matrix of the
/// batch.
struct RowPairs {
  bool within;
  int64_t rows, others;

  static RowPairs of_one(int64_t rows) { return {true, rows, rows}; }

  /// The number of pairs whose first row has a smaller number than `row`.
  ERSATZ_HD int64_t before(int64_t row) const { return row * (2 * rows - row - 1) / 2; }
  /// Sets `row` and `other` to the two rows of distance `i`. Row numbers count through all matrices of the batch.
  ERSATZ_HD void find(int64_t i, int64_t& row, int64_t& other) const {
    if (!within) {
      row = quotient(i, others);
      other = quotient(row, rows) * others + i - row * others;
      return;
    }
    const double n = static_cast<double>(2 * rows - 1);
    row = static_cast<int64_t>((n - std::sqrt(n * n - 8 * static_cast<double>(i))) / 2);
    while (row > 0 && before(row) > i) --row;
    while (before(row + 1) <= i) ++row;
    other = row + 1 + i - before(row);
  }
  /// Sets `other` to the j-th row that has a distance to `row`, and returns the index of that distance. Returns -1 if
  /// `other` would be `row` itself. Row numbers count through all matrices of the batch.
  ERSATZ_HD int64_t distance(int64_t row, int64_t j, int64_t& other) const {
    if (!within) {
      other = quotient(row, rows) * others + j;
      return row * others + j;
    }
    other = j;
    return j == row ? -1 : j < row ? before(j) + row - j - 1 : before(row) + j - row - 1;
  }
};

/// Both operands expanded to the broadcast batch: x1 is [matrices, rows, m], x2 is [matrices, others, m]. If a tensor
/// has more elements than these sizes need, only its first elements are read.
struct RowMatrices {
  Tensor x1, x2;
  int64_t rows, others, m, count;

  RowMatrices(const Tensor& a, const Tensor& b, std::span<const SymInt> batch) {
    const auto expanded = [&](const Tensor& t) {
      DimVec sizes = leading_sizes(batch, 0);
      sizes.push_back(t.sizes()[static_cast<size_t>(t.dim() - 2)]);
      sizes.push_back(t.sizes().back());
      return dense_input(broadcast_view(t, sizes));
    };
    x1 = expanded(a), x2 = expanded(b);
    const auto size = [](const Tensor& t, int64_t from_end) {
      return t.sizes()[static_cast<size_t>(t.dim() - from_end)].as_int();
    };
    rows = size(x1, 2), others = size(x2, 2), m = size(x1, 1), count = 1;
    for (const SymInt n : batch) count *= n.as_int();
  }
  RowPairs pairs() const { return {false, rows, others}; }
};

/// True if a gradient can be nonzero. It is zero if p = 0 or there are no distances. The remaining arguments of the
/// call are then not read.
inline bool has_slopes(const Tensor& gradient, const Tensor& x2, double p) {
  return p != 0 && gradient.numel().as_int() > 0 && x2.numel().as_int() > 0;
}

/// Returns the first element of each of the first `n` rows of `t`. REQUIRES: `t` has at least `n` rows, or n = 0.
inline Tensor first_of_rows(const Tensor& t, int64_t n) {
  TensorMeta meta = t.meta();
  meta.sizes = DimVec{SymInt(n)};
  meta.strides = DimVec{t.strides()[0]};
  return dense_input(make_view(t, std::move(meta)));
}

}  // namespace ersatz
