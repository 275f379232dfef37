#include "kernels/linalg/product_plan.h"

#include <algorithm>

namespace ersatz {
namespace {

using cuda_module::Read;

/// True if the elements of each column are adjacent and columns do not overlap.
bool column_major(const StridedMatrix& m) {
  return (m.row_stride == 1 || m.rows == 1) && (m.cols == 1 || m.col_stride >= m.rows);
}

int64_t leading(const StridedMatrix& column_major) {
  return column_major.cols == 1 ? column_major.rows : column_major.col_stride;
}

/// Returns how the library reads `m`. If `m` has to be copied, the copy is row-major, and the library reads it as
/// `row_major` says.
PlannedMatrix plan_operand(const StridedMatrix& m, Read row_major) {
  const StridedMatrix t = m.transposed();
  if (!m.neg && !m.conj && column_major(m)) return {false, Read::AsItIs, leading(m), m.batch_stride};
  if (!m.neg && column_major(t)) {
    return {false, m.conj ? Read::ConjugateTransposed : Read::Transposed, leading(t), m.batch_stride};
  }
  return {true, row_major, row_major == Read::AsItIs ? m.rows : m.cols, m.rows * m.cols};
}

}  // namespace

ProductPlan plan_product(const StridedMatrix& a, const StridedMatrix& b, const StridedMatrix& out) {
  const bool lazy = out.conj || out.neg;
  const bool exchanged = lazy || column_major(out.transposed()) || !column_major(out);
  const StridedMatrix to = exchanged ? out.transposed() : out;
  const Read row_major = exchanged ? Read::AsItIs : Read::Transposed;
  ProductPlan plan;
  plan.exchanged = exchanged;
  plan.m = to.rows;
  plan.n = to.cols;
  plan.k = a.cols;
  plan.first = plan_operand(exchanged ? b.transposed() : a, row_major);
  plan.second = plan_operand(exchanged ? a.transposed() : b, row_major);
  if (!lazy && column_major(to)) {
    plan.out = {false, Read::AsItIs, leading(to), out.batch_stride};
  } else {
    plan.out = {true, Read::AsItIs, to.rows, to.rows * to.cols};
  }
  return plan;
}

}  // namespace ersatz
