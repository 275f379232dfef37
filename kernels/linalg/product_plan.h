// How a matrix product of strided operands is put to a library that knows column-major matrices.
//
// Host-only pure functions of metadata: no library is asked and none is needed. The launch (device_product.h) obeys.
// In words: a row-major result is computed as its transpose, of exchanged operands. An operand with one unit stride and
// a large enough other one is passed where it lies, a conjugated one if it is read transposed at that; everything else
// is copied first, to row-major.
#pragma once

#include <cstdint>

#include "runtime/cuda/blas.h"

namespace ersatz {

/// Matrices of a batch in memory; strides in elements, not negative (0 for broadcast dims).
struct StridedMatrix {
  int64_t rows = 0, cols = 0;
  int64_t row_stride = 0, col_stride = 0, batch_stride = 0;
  bool conj = false, neg = false;  ///< lazy bits

  constexpr StridedMatrix transposed() const { return {cols, rows, col_stride, row_stride, batch_stride, conj, neg}; }
};

struct PlannedMatrix {
  bool copied = false;  ///< the numbers below are then the copy's, which is row-major in the caller's terms
  cuda_module::Read read = cuda_module::Read::AsItIs;
  int64_t ld = 1, batch_stride = 0;
};

struct ProductPlan {
  bool exchanged = false;  ///< out^T = b^T a^T: the first operand is b
  int64_t m = 0, n = 0, k = 0;
  PlannedMatrix first, second, out;
};

/// out = a @ b. REQUIRES: sizes fit and none is 0.
ProductPlan plan_product(const StridedMatrix& a, const StridedMatrix& b, const StridedMatrix& out);

}  // namespace ersatz
