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
OP_TEST(ChainMatmul, OfOneMatrixIsThatMatrix) {
  const Tensor x = f32({1, 2}, {1, 2}), y = f32({2, 1}, {3, 4});
  expect(run("aten.chain_matmul.default", {Value::list(std::vector<Value>{x})})).view_of(x);
  expect(run("aten.chain_matmul.default", {Value::list(std::vector<Value>{x, y})})).meta("f32[1,1]").values({11});
}

}  // namespace
}  // namespace ersatz
