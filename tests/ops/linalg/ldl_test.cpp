#include "kernels/linalg/ldl.h"

#include "kernels/linalg/matmul.h"
#include "kernels/linalg/named_factors.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

// [[0, 2], [2, 0]] has no factors with a diagonal D: its one block is the matrix.
Tensor block() { return f64({2, 2}, {0, 2, 2, 0}); }

OP_TEST(LinalgLdlFactorEx, HasBlocksOfTwoWithNegativePivots) {
  const auto [ld, pivots, info] = ops::linalg_ldl_factor_ex(block());
  expect(ld).meta("f64[2,2]{1,2}").values({0, 0, 2, 0});
  expect(pivots).meta("i32[2]").values({-2, -2});
  expect(info).meta("i32[]").values({0});
}
OP_TEST(LinalgLdlFactorEx, ReadsTheLowerTriangle) {
  const Tensor a = f64({2, 2}, {4, 1e30, 2, 5});
  expect(ops::linalg_ldl_factor_ex(a).LD).values({4, 0, 0.5, 4});
}
OP_TEST(LinalgLdlFactorEx, SaysWhereDIsZero) {
  expect(ops::linalg_ldl_factor_ex(f64({2, 2, 2}, {1, 0, 0, 1, 1, 2, 2, 4})).info).meta("i32[2]").values({0, 2});
}
TEST(LinalgLdlFactorEx, RefusesSingularMatricesWhereItChecks) {
  const Tensor a = f64({1, 1}, {0});
  expect_refused([&] { ops::linalg_ldl_factor_ex(a, false, true); }, ErrorFamily::Runtime,
                 "linalg_ldl_factor_ex.value");
  expect_refused([&] { ops::linalg_ldl_factor(a); }, ErrorFamily::Runtime, "_linalg_check_errors.value");
}
OP_TEST(LinalgLdlSolve, SolvesFromFactors) {
  const Tensor a = f64({2, 3, 3}, {0, 2, 1, 2, 0, 3, 1, 3, 1, 4, 1, 0, 1, -3, 2, 0, 2, 5});
  const Tensor b = f64({3, 2}, {1, 2, 3, 4, 5, 6});
  const auto [ld, pivots, info] = ops::linalg_ldl_factor_ex(a);
  const Tensor x = ops::linalg_ldl_solve(ld, pivots, b);
  expect(x).meta("f64[2,3,2]{6,1,3}");
  expect(ops::matmul(a, x)).values({1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
}
TEST(LinalgLdlSolve, TellsHermitianFromSymmetric) {
  const Tensor a = make("c128[2,2]", {1, 0, 0, 2}), b = make("c128[2,1]", {3, 4});
  const std::complex<double> i(0, 1);
  std::complex<double>* elements = a.data<std::complex<double>>();
  elements[2] = -i;
  for (const bool hermitian : {true, false}) {
    elements[1] = hermitian ? i : -i;
    const auto [ld, pivots, info] = ops::linalg_ldl_factor_ex(a, hermitian);
    expect(ops::matmul(a, ops::linalg_ldl_solve(ld, pivots, b, hermitian))).values({3, 4});
  }
}
TEST(LinalgLdlSolve, RefusesPivotsThatNameNoRows) {
  for (const double second : {0.0, 3.0, -1.0}) {
    const Tensor ld = f64({2, 2}, {2, 0, 0, 2}), b = f64({2, 1}, {1, 1}), pivots = make("i32[2]", {1, second});
    expect_refused([&] { ops::linalg_ldl_solve(ld, pivots, b); }, ErrorFamily::Runtime, "linalg_ldl_solve.value");
  }
}

}  // namespace
}  // namespace ersatz
