#include "kernels/linalg/triangular.h"

#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

// Only the lower triangle of [[2, 9], [1, 4]] is read.
Tensor lower() { return f64({2, 2}, {2, 9, 1, 4}); }

OP_TEST(LinalgSolveTriangular, FromEitherSide) {
  const Tensor b = f64({2, 2}, {2, 4, 5, 10});
  expect(ops::linalg_solve_triangular(lower(), b, false)).meta("f64[2,2]{1,2}").values({1, 2, 1, 2});
  expect(ops::linalg_solve_triangular(lower(), b, false, false)).meta("f64[2,2]{1,2}").values({0.5, 1, 1.25, 2.5});
}
OP_TEST(LinalgSolveTriangular, UnitDiagonalsAreNotRead) {
  expect(ops::linalg_solve_triangular(lower(), f64({2, 1}, {2, 5}), false, true, true)).values({2, 3});
}
OP_TEST(TriangularSolve, OfTheTransposeToo) {
  const auto [x, a] = ops::triangular_solve(f64({2, 1}, {4, 8}), lower(), false, true);
  expect(x).meta("f64[2,1]{1,2}").values({1, 2});
  expect(a).meta("f64[2,2]{1,2}").values({2, 9, 1, 4});
}

}  // namespace
}  // namespace ersatz
