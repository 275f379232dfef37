#include <cmath>

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

const Tensor& three_and_four() {
  static const Tensor d = f64({2, 2}, {3, 0, 0, 4});
  return d;
}

TEST(OlderNorms, AreThoseOfLinalg) {
  expect(run("aten.nuclear_norm.default", {three_and_four()})).meta("f64[]").values({7});
  expect(run("aten.nuclear_norm.dim", {three_and_four(), ints({1, 0}), true})).meta("f64[1,1]").values({7});
  expect(run("aten.frobenius_norm.dim", {three_and_four(), ints({0, 1})})).values({5});
  expect(run("aten.linalg_cond.p_str", {three_and_four(), "fro"})).values({5 * std::sqrt(1 / 9.0 + 1 / 16.0)});
  expect(run("aten.linalg_cond.p_str", {f64({1, 1}, {0}), "nuc"})).values({INFINITY});
}
TEST(OlderNorms, TakeOneTolerance) {
  expect(run("aten.linalg_matrix_rank.default", {three_and_four(), 3.5})).meta("i64[]").values({1});
  expect(run("aten.linalg_matrix_rank.tol_tensor", {three_and_four(), f64({}, {0.5})})).values({2});
  expect(run("aten.linalg_pinv.default", {three_and_four(), 0.9})).values({0, 0, 0, 0.25});
  expect(run("aten.linalg_pinv.rcond_tensor", {three_and_four(), f64({}, {0.1})})).values({1 / 3.0, 0, 0, 0.25});
}
OP_TEST(ChainMatmul, OfOneMatrixIsThatMatrix) {
  const Tensor x = f32({1, 2}, {1, 2}), y = f32({2, 1}, {3, 4});
  expect(run("aten.chain_matmul.default", {Value::list(std::vector<Value>{x})})).view_of(x);
  expect(run("aten.chain_matmul.default", {Value::list(std::vector<Value>{x, y})})).meta("f32[1,1]").values({11});
}

}  // namespace
}  // namespace ersatz
