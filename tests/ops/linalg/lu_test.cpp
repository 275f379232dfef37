#include "kernels/linalg/lu.h"

#include "kernels/linalg/matmul.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

// [[0, 2], [3, 4]] needs an exchange of rows; its determinant is -6.
Tensor exchanged() { return f64({2, 2}, {0, 2, 3, 4}); }

OP_TEST(LinalgLuFactorEx, ExchangesRowsAndWritesColumns) {
  const auto [lu, pivots, info] = ops::linalg_lu_factor_ex(exchanged());
  expect(lu).meta("f64[2,2]{1,2}").values({3, 4, 0, 2});
  expect(pivots).meta("i32[2]").values({2, 2});
  expect(info).meta("i32[]").values({0});
}
OP_TEST(LinalgLuFactorEx, SaysWhereAMatrixIsSingular) {
  const Tensor a = f64({2, 2, 2}, {1, 0, 0, 1, 1, 2, 2, 4});
  expect(ops::linalg_lu_factor_ex(a).info).meta("i32[2]").values({0, 2});
}
TEST(LinalgLuFactorEx, RefusesSingularMatricesWhereItChecks) {
  const Tensor a = f64({2, 2}, {1, 2, 2, 4});
  expect_refused([&] { ops::linalg_lu_factor_ex(a, true, true); }, ErrorFamily::Runtime, "linalg_lu_factor_ex.value");
}
OP_TEST(LinalgDet, OfABatchOfNothingAndOfSingularMatrices) {
  expect(ops::_linalg_det(exchanged()).result).meta("f64[]").values({-6});
  expect(ops::_linalg_det(f64({0, 0}, {})).result).values({1});
  expect(ops::_linalg_det(f64({2, 2}, {1, 2, 2, 4})).result).values({0});
}
OP_TEST(LinalgSlogdet, IsSignAndLogarithm) {
  const auto [sign, size, lu, pivots] = ops::_linalg_slogdet(exchanged());
  expect(sign).values({-1});
  expect(size).values({1.791759469228055});
}
OP_TEST(LinalgSolveEx, FromEitherSide) {
  const Tensor a = exchanged(), b = f64({2, 2}, {2, 4, 7, 11});
  expect(ops::_linalg_solve_ex(a, b).result).meta("f64[2,2]{1,2}").values({1, 1, 1, 2});
  const Tensor x = ops::_linalg_solve_ex(a, b, false).result;
  expect(x).meta("f64[2,2]");
  expect(ops::matmul(x, a)).values({2, 4, 7, 11});
}
OP_TEST(LinalgInvEx, IsTheInverse) {
  expect(ops::linalg_inv_ex(exchanged()).inverse).meta("f64[2,2]{1,2}").values({-2.0 / 3, 1.0 / 3, 0.5, 0});
}
OP_TEST(LinalgLuSolve, SolvesFromFactorsAndTheirAdjoints) {
  const Tensor a = make("c128[2,2]", {0, 2, 3, 4}), b = make("c128[2,2]", {2, 4, 7, 11});
  const auto [lu, pivots, info] = ops::linalg_lu_factor_ex(a);
  const Tensor adjoint = call_op<"aten.t.default">(a);
  expect(ops::matmul(a, ops::linalg_lu_solve(lu, pivots, b))).values({2, 4, 7, 11});
  expect(ops::matmul(ops::linalg_lu_solve(lu, pivots, b, false), a)).values({2, 4, 7, 11});
  expect(ops::matmul(adjoint, ops::linalg_lu_solve(lu, pivots, b, true, true))).values({2, 4, 7, 11});
  expect(ops::matmul(ops::linalg_lu_solve(lu, pivots, b, false, true), adjoint)).values({2, 4, 7, 11});
}
OP_TEST(LinalgLuSolve, OfComplexRowsIsALazyConjugate) {
  const auto [lu, pivots, info] = ops::linalg_lu_factor_ex(make("c128[1,1]", {2}));
  const Tensor rows = ops::linalg_lu_solve(lu, pivots, make("c128[2,1]", {4, 6}), false);
  expect(rows).values({2, 3});
  EXPECT_TRUE(rows.meta().conj);
  EXPECT_FALSE(ops::linalg_lu_solve(lu, pivots, make("c128[1,2]", {4, 6})).meta().conj);
}
OP_TEST(LinalgLuSolve, OfComplexRowsMakesARowMajorOutALazyConjugate) {
  const auto [lu, pivots, info] = ops::linalg_lu_factor_ex(make("c128[2,2]", {2, 0, 0, 2}));
  const Tensor b = make("c128[2,2]", {2, 4, 6, 8});
  const auto written = [&](const char* out) {
    const Tensor t = make(out);
    call_op<"aten.linalg_lu_solve.out">(lu, pivots, b, false, false, t);
    return t;
  };
  const Tensor rows = written("c128[2,2]"), resized = written("c128[0]"), columns = written("c128[2,2]{1,2}");
  for (const Tensor& t : {rows, resized, columns}) expect(t).values({1, 2, 3, 4});
  EXPECT_TRUE(rows.meta().conj);
  EXPECT_TRUE(resized.meta().conj);
  EXPECT_FALSE(columns.meta().conj);
}
TEST(LinalgLuSolve, RefusesWhatIsNoRow) {
  const Tensor lu = f64({1, 1}, {2}), b = f64({1, 1}, {1}), pivots = make("i32[1]", {2});
  expect_refused([&] { ops::linalg_lu_solve(lu, pivots, b); }, ErrorFamily::Runtime, "linalg_lu_solve.value");
}
// PyTorch 2.15; determinants have those of the transpose of a row-major one.
OP_TEST(LinalgSolveEx, GivesTheFactorsOfARowMajorMatrixItself) {
  const Tensor a = f64({2, 2}, {1, 2, 4, 6});
  const Values r = call("aten._linalg_solve_ex.default", {a, f64({2, 1}, {5, 16}), true, false});
  expect(r[0].tensor()).values({1, 2});
  expect(r[1].tensor()).values({4, 6, 0.25, 0.5});
}

}  // namespace
}  // namespace ersatz
