#include "kernels/linalg/cholesky_solve.h"

#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

// A = L L^T = [[4, 2], [2, 5]].
Tensor factor() { return f64({2, 2}, {2, 0, 1, 2}); }

OP_TEST(CholeskyInverse, OfTheFactorsProduct) {
  expect(ops::cholesky_inverse(factor())).meta("f64[2,2]{1,2}").values({0.3125, -0.125, -0.125, 0.25});
}
TEST(CholeskyInverse, RefusesASingularFactor) {
  expect_refused([] { ops::cholesky_inverse(f64({1, 1}, {0})); }, ErrorFamily::Runtime, "cholesky_inverse.value");
}
OP_TEST(CholeskySolve, FromEitherTriangle) {
  const Tensor b = f64({2, 1}, {6, 7}), upper = f64({2, 2}, {2, 1, 0, 2});
  expect(ops::cholesky_solve(b, factor())).meta("f64[2,1]{1,2}").values({1, 1});
  expect(ops::cholesky_solve(b, upper, true)).values({1, 1});
}

}  // namespace
}  // namespace ersatz
