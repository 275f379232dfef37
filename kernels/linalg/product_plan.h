// The plan of a matrix product of strided operands, for a library that takes column-major matrices.
//
// The functions are pure functions of metadata on the host and do not call the library. device_product.h runs the plan.
// A row-major result is computed as its transpose, from exchanged operands. An operand with a unit stride and a large
// enough other stride is passed in place. A conjugated operand is passed in place only if the library reads it
// transposed. Any other operand is copied to row-major memory first.
#pragma once

#include <cstdint>

#include "runtime/cuda/blas.h"

namespace ersatz {

/// The matrices of a batch in memory. Strides are in elements and not negative (0 for broadcast dims).
struct StridedMatrix {
  int64_t rows = 0, cols = 0;
  int64_t row_stride = 0, col_stride = 0, batch_stride = 0;
  bool conj = false, neg = false;  ///< the conj and neg bits of the tensor

  constexpr StridedMatrix transposed() const { return {cols, rows, col_stride, row_stride, batch_stride, conj, neg}; }
};

struct PlannedMatrix {
  bool copied = false;  ///< true: the members below describe the copy, which the caller makes row-major
  cuda_module::Read read = cuda_module::Read::AsItIs;
  int64_t ld = 1, batch_stride = 0;
};

struct ProductPlan {
  bool exchanged = false;  ///< true: the library computes out^T = b^T a^T, so the first operand is b
  int64_t m = 0, n = 0, k = 0;
  PlannedMatrix first, second, out;
};

/// Returns the plan of out = a @ b. REQUIRES: sizes fit, and no size is 0.
ProductPlan plan_product(const StridedMatrix& a, const StridedMatrix& b, const StridedMatrix& out);

}  // namespace ersatz
