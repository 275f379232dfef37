// Matrix products of any element type and any strides, on the CPU.
//
// f32, f64, c64 and c128 use OpenBLAS, except that few rows of f32 use dot_loops.h. f16 and bf16 are converted to f32
// block by block, accumulated in f32 and rounded once. Integers use loops with wrap-around.
// Operands without a unit stride are packed for BLAS. Large products are split over the thread pool, which does not
// change the order of summation over k.
#pragma once

#include <cstdint>

#include "runtime/base/dtype.h"
#include "runtime/op/value.h"

namespace ersatz {

/// A matrix in memory. Strides are in elements and not negative (0 for a broadcast dim).
struct MatrixView {
  std::byte* data = nullptr;
  int64_t rows = 0, cols = 0;
  int64_t row_stride = 0, col_stride = 0;
  bool conj = false;  ///< elements are read conjugated

  MatrixView transposed() const { return {data, cols, rows, col_stride, row_stride, conj}; }
};

/// out = alpha * a @ b + beta * out. If `beta` is 0, out is not read. REQUIRES: sizes that fit, one dtype (bool only if
/// `out` is empty), and an `out` that overlaps no operand.
void matrix_product(DType dtype, const MatrixView& a, const MatrixView& b, const MatrixView& out,
                    const Scalar& alpha = int64_t(1), const Scalar& beta = int64_t(0));
/// to = from, element by element (same dtype and sizes).
void copy_matrix(DType dtype, const MatrixView& from, const MatrixView& to);

/// The matrix of the last two dims at the tensor's first element. REQUIRES: dim() >= 2, sizes without symbols.
MatrixView matrix_view(const Tensor& t);
/// A 1-d tensor as a matrix with one column.
MatrixView column_view(const Tensor& t);

}  // namespace ersatz
