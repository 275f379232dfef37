// The plan of a matrix product of strided operands for a library with column-major matrices.
//
// Host-only pure functions of metadata; the library is not called. device_product.h runs the plan.
// A row-major result is computed as its transpose, from exchanged operands. An operand with one unit stride and a large
// enough other stride is passed in place; a conjugated one only if it is read transposed. Any other operand is copied
// to row-major first.
#pragma once

#include <cstdint>

#include "runtime/cuda/blas.h"

namespace ersatz {

/// The matrices of a batch in memory. Strides are in elements and not negative (0 for broadcast dims).
struct StridedMatrix {
  int64_t rows = 0, cols = 0;
  int64_t row_stride = 0, col_stride = 0, batch_stride = 0;
  bool conj = false, neg = false;  ///< lazy bits

  constexpr StridedMatrix transposed() const { return {cols, rows, col_stride, row_stride, batch_stride, conj, neg}; }
};

struct PlannedMatrix {
  bool copied = false;  ///< the members below then describe the copy, which is row-major for the caller
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
