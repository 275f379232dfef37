#include "kernels/linalg/matrix_norm.h"

#include <limits>

#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
// Column sums 4 and 6, row sums 3 and 7; singular values 5 and 3 of the diagonal one.
Tensor full() { return f64({2, 2}, {1, -2, 3, 4}); }
Tensor diagonal() { return f64({2, 2}, {3, 0, 0, -5}); }

OP_TEST(LinalgMatrixNorm, OfEachOrder) {
  const Tensor a = full(), d = diagonal();
  const SymInt last[] = {-2, -1};
  expect(ops::linalg_matrix_norm(a, 1, last)).meta("f64[]").values({6});
  expect(ops::linalg_matrix_norm(a, -1, last)).values({4});
  expect(ops::linalg_matrix_norm(a, kInf, last)).values({7});
  expect(ops::linalg_matrix_norm(a, -kInf, last, true)).meta("f64[1,1]").values({3});
  expect(ops::linalg_matrix_norm(d, 2, last)).values({5});
  expect(ops::linalg_matrix_norm(d, -2, last, true)).meta("f64[1,1]").values({3});
}
OP_TEST(LinalgMatrixNorm, OfNamedDims) {
  const Tensor a = f64({2, 1, 2}, {1, -2, 3, 4});
  const SymInt outer[] = {0, 2};
  expect(ops::linalg_matrix_norm(a, 1, outer)).meta("f64[1]").values({6});
  expect(ops::linalg_matrix_norm(a, 2, outer, true)).meta("f64[1,1,1]").values({5.116672736016927});
}
OP_TEST(LinalgMatrixNorm, OfNothing) {
  const SymInt last[] = {-2, -1};
  expect(ops::linalg_matrix_norm(f64({2, 0}, {}), 1, last)).values({0});
}
OP_TEST(LinalgNorm, OfVectorsAndMatrices) {
  expect(ops::linalg_norm(full())).meta("f64[]").values({5.477225575051661});
  expect(ops::linalg_norm(full(), 1)).values({6});
  const SymInt columns[] = {1};
  expect(ops::linalg_norm(full(), 1, columns)).meta("f64[2]").values({3, 7});
  expect(call_op<"aten.linalg_norm.ord_str">(diagonal(), "nuc", Value(), false, Value())).values({8});
  expect(call_op<"aten.linalg_norm.ord_str">(full(), "fro", Value(), false, Value())).values({5.477225575051661});
}
OP_TEST(LinalgCond, ByInverseAndBySingularValues) {
  expect(ops::linalg_cond(diagonal())).meta("f64[]").values({5.0 / 3});
  expect(ops::linalg_cond(diagonal(), -2)).values({0.6});
  expect(ops::linalg_cond(full(), 1)).values({6 * 0.7});
  expect(ops::linalg_cond(f64({2, 2}, {1, 2, 2, 4}), 1)).values({kInf});
  expect(ops::linalg_cond(f64({3, 0, 0}, {}))).meta("f64[3]").values({0, 0, 0});
}

}  // namespace
}  // namespace ersatz
