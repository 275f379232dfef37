#include "kernels/linalg/pseudo_inverse.h"

#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

Tensor flat() { return f64({2, 2}, {1, 2, 2, 4}); }

OP_TEST(LinalgMatrixRank, CountsSingularValuesThatAreNotZero) {
  expect(ops::linalg_matrix_rank(flat())).meta("i64[]").values({1});
  expect(ops::linalg_matrix_rank(f64({2, 2}, {1, 0, 0, 1}))).values({2});
  expect(ops::linalg_matrix_rank(f64({2, 2}, {4, 0, 0, 1}), f64({}, {2}))).values({1});
  expect(ops::linalg_matrix_rank(flat(), Tensor(), Tensor(), true)).values({1});
  expect(call_op<"aten.linalg_matrix_rank.atol_rtol_float">(f64({2, 2}, {4, 0, 0, 1}), Value(), Value(0.5), false))
      .values({1});
  expect(ops::linalg_matrix_rank(f64({2, 0, 3}, {}))).meta("i64[2]").values({0, 0});
}
OP_TEST(LinalgPinv, InvertsWhatIsNotZero) {
  expect(ops::linalg_pinv(flat())).meta("f64[2,2]").values({0.04, 0.08, 0.08, 0.16});
  expect(ops::linalg_pinv(flat(), Tensor(), Tensor(), true)).values({0.04, 0.08, 0.08, 0.16});
  expect(ops::pinverse(f64({1, 2}, {3, 4}))).meta("f64[2,1]").values({0.12, 0.16});
  expect(ops::linalg_pinv(f64({3, 0}, {}))).meta("f64[0,3]");
}

}  // namespace
}  // namespace ersatz
