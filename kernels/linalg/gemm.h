// Matrix products of any element type and any strides, on the CPU.
//
// f32, f64, c64 and c128 go to OpenBLAS, few rows of f32 to own dot products (dot_loops.h); f16 and bf16 by blocks
// converted to f32, accumulated in f32 and rounded once; integers by own blocked loops with wrap-around. Operands that
// BLAS cannot address (no unit stride) are packed. Large products are split over the pool; the split does not change a
// result's order of summation over k.
#pragma once

#include <cstdint>

#include "runtime/base/dtype.h"
#include "runtime/op/value.h"

namespace ersatz {

/// A matrix in memory; strides in elements, any non-negative value (0 for a broadcast dim).
struct MatrixView {
  std::byte* data = nullptr;
  int64_t rows = 0, cols = 0;
  int64_t row_stride = 0, col_stride = 0;
  bool conj = false;  ///< elements are to be read conjugated

  MatrixView transposed() const { return {data, cols, rows, col_stride, row_stride, conj}; }
};

/// out = alpha * a @ b + beta * out. `beta` 0: out is not read. REQUIRES: fitting sizes, one dtype (not bool
/// unless `out` is empty), out overlaps neither operand.
void matrix_product(DType dtype, const MatrixView& a, const MatrixView& b, const MatrixView& out,
                    const Scalar& alpha = int64_t(1), const Scalar& beta = int64_t(0));
/// to = from, element by element (same dtype and sizes).
void copy_matrix(DType dtype, const MatrixView& from, const MatrixView& to);

/// The last two dims of a tensor as a matrix at its first element. REQUIRES: dim() >= 2, plain sizes.
MatrixView matrix_view(const Tensor& t);
/// A 1-d tensor as a column.
MatrixView column_view(const Tensor& t);

}  // namespace ersatz
