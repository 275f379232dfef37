// Matrix products of any element type and any strides, on the CPU.
//
// f32, f64, c64 and c128 use OpenBLAS. If f32 operands have few rows, dot_loops.h is used instead. f16 and bf16 are
// converted to f32 block by block, accumulated in f32 and rounded once. Integers use loops that wrap around. Operands
// without a unit stride are copied to packed memory for BLAS. Large products are split into parts of the result that
// run on the thread pool, so the order of summation over k does not change.
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

/// Computes out = alpha * a @ b + beta * out. If `beta` is 0, `out` is not read. REQUIRES: sizes fit, and all matrices
/// have dtype `dtype` (bool only if `out` is empty). `out` shares no memory with an operand.
void matrix_product(DType dtype, const MatrixView& a, const MatrixView& b, const MatrixView& out,
                    const Scalar& alpha = int64_t(1), const Scalar& beta = int64_t(0));
/// Copies `from` to `to`, element by element. REQUIRES: both have dtype `dtype` and equal sizes.
void copy_matrix(DType dtype, const MatrixView& from, const MatrixView& to);

/// Returns the first matrix of `t`, which consists of its last two dims. REQUIRES: dim() >= 2, and sizes without
/// symbols.
MatrixView matrix_view(const Tensor& t);
/// Returns the 1-d tensor `t` as a matrix with one column.
MatrixView column_view(const Tensor& t);

}  // namespace ersatz
