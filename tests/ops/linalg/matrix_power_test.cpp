#include "kernels/linalg/matrix_power.h"

#include <cmath>

#include "kernels/linalg/mm.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

Tensor shear() { return f64({2, 2}, {1, 1, 0, 1}); }

OP_TEST(LinalgMatrixPower, OfAnySign) {
  expect(ops::linalg_matrix_power(shear(), 5)).meta("f64[2,2]").values({1, 5, 0, 1});
  expect(ops::linalg_matrix_power(shear(), 0)).values({1, 0, 0, 1});
  expect(ops::linalg_matrix_power(shear(), -3)).values({1, -3, 0, 1});
  expect(ops::linalg_matrix_power(i64({2, 2}, {1, 1, 0, 1}), 4)).meta("i64[2,2]").values({1, 4, 0, 1});
}
OP_TEST(LinalgMatrixExp, OfNilpotentDiagonalAndRotating) {
  expect(ops::linalg_matrix_exp(f64({2, 2}, {0, 3, 0, 0}))).meta("f64[2,2]").values({1, 3, 0, 1});
  expect(ops::linalg_matrix_exp(f64({2, 2}, {10, 0, 0, -1}))).values({std::exp(10.0), 0, 0, std::exp(-1.0)});
  expect(ops::matrix_exp(f64({2, 2}, {0, -1, 1, 0})))
      .values({std::cos(1.0), -std::sin(1.0), std::sin(1.0), std::cos(1.0)});
}
OP_TEST(LinalgMatrixSqrth, IsARootOfTheLowerTriangle) {
  const Tensor root = ops::linalg_matrix_sqrth(f64({2, 2}, {5, 99, 4, 5}));
  expect(root).meta("f64[2,2]").values({2, 1, 1, 2});
  expect(ops::linalg_matrix_sqrth(f64({2, 2}, {-2, 0, 0, 9}))).values({0, 0, 0, 3});
}
OP_TEST(LinalgPolar, IsARotationAndAStretch) {
  const auto [u, h] = ops::linalg_polar(f64({2, 2}, {0, -3, 2, 0}));
  expect(u).meta("f64[2,2]").values({0, -1, 1, 0});
  expect(h).meta("f64[2,2]").values({2, 0, 0, 3});
}
OP_TEST(LinalgMultiDot, OfRowsMatricesAndColumns) {
  const Tensor row = f64({2}, {1, 2}), m = f64({2, 3}, {1, 2, 3, 4, 5, 6}), column = f64({3}, {1, 0, 1});
  const Tensor all[] = {row, m, column}, two[] = {row, m};
  expect(ops::linalg_multi_dot(all)).meta("f64[]").values({24});
  expect(ops::linalg_multi_dot(two)).meta("f64[3]").values({9, 12, 15});
}
TEST(LinalgMultiDot, OfFourMatricesIsTheirProduct) {
  const Tensor a = f64({1, 3}, {1, 2, 3}), b = f64({3, 1}, {1, 1, 1}), c = f64({1, 3}, {2, 0, 1}),
               d = f64({3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor all[] = {a, b, c, d};
  expect(ops::linalg_multi_dot(all)).meta("f64[1,2]").values({42, 60});
}
OP_TEST(LinalgTensorinv, IsAnInverseOverParts) {
  const Tensor t = f64({2, 1, 2}, {2, 0, 0, 4});
  expect(ops::linalg_tensorinv(t, 2)).meta("f64[2,2,1]{1,2,2}").values({0.5, 0, 0, 0.25});
}
OP_TEST(LinalgTensorsolve, OverTheLastDims) {
  const Tensor t = f64({2, 1, 2}, {2, 0, 0, 4}), b = f64({2, 1}, {2, 8});
  expect(ops::linalg_tensorsolve(t, b)).meta("f64[2]").values({1, 2});
}

}  // namespace
}  // namespace ersatz
