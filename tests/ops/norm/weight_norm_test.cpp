#include "kernels/norm/weight_norm.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(WeightNorm, GivesEachRowItsLength) {
  const auto [w, norms] = ops::_weight_norm_interface(f32({2, 2}, {3, 4, 0, 2}), f32({2, 1}, {10, 1}), 0);
  expect(w).meta("f32[2,2]").values({6, 8, 0, 1});
  expect(norms).meta("f32[2,1]").values({5, 2});
}
OP_TEST(WeightNorm, GivesEachColumnItsLength) {
  const auto [w, norms] = ops::_weight_norm_interface(f32({2, 2}, {3, 0, 4, 2}), f32({1, 2}, {10, 1}), 1);
  expect(w).meta("f32[2,2]").values({6, 0, 8, 1});
  expect(norms).meta("f32[1,2]").values({5, 2});
}
OP_TEST(WeightNorm, SavesNormsOfHalvesInF32WithTheStridesOfTheLengths) {
  const auto [w, norms] = ops::_weight_norm_interface(make("f16[2,2]", {3, 4, 0, 2}), make("f16[2,1]{2,1}", {5, 2}), 0);
  expect(w).meta("f16[2,2]").values({3, 4, 0, 2});
  expect(norms).meta("f32[2,1]{2,1}").values({5, 2});
}
OP_TEST(WeightNorm, HasAGradientAcrossTheDirection) {
  const Tensor v = f64({1, 2}, {3, 4}), g = f64({1, 1}, {10}), norms = f64({1, 1}, {5}), grad = f64({1, 2}, {1, 0});
  const auto [of_v, of_g] = ops::_weight_norm_interface_backward(grad, v, g, norms, 0);
  expect(of_v).meta("f64[1,2]").values({2 * (1 - 9.0 / 25), -2 * 12.0 / 25});
  expect(of_g).meta("f64[1,1]").values({0.6});
  const auto [same, length] = ops::_weight_norm_differentiable_backward(grad, v, g, norms, 0);
  expect(same).values({2 * (1 - 9.0 / 25), -2 * 12.0 / 25});
  expect(length).values({0.6});
}
OP_TEST(WeightNorm, TakesADimInTheMiddle) {
  const Tensor v = f32({1, 2, 2}, {3, 4, 0, 2});
  expect(ops::_weight_norm(v, f32({1, 2, 1}, {10, 1}), 1)).meta("f32[1,2,2]").values({6, 8, 0, 1});
}
OP_TEST(NormExceptDim, HasANormForEachIndex) {
  const Tensor v = f32({2, 2}, {3, 4, 0, 2});
  expect(ops::norm_except_dim(v)).meta("f32[2,1]").values({5, 2});
  expect(ops::norm_except_dim(v, 1, 1)).meta("f32[1,2]").values({3, 6});
  expect(ops::norm_except_dim(f32({3}, {1, -2, 3}))).meta("f32[3]").values({1, 2, 3});
}
OP_TEST(NormExceptDim, OfTheDimBeforeTheFirstIsThatOfAllElements) {
  expect(ops::norm_except_dim(f32({2, 2}, {1, 1, 1, 1}), 2, -1)).meta("f32[]").values({2});
}

}  // namespace
}  // namespace ersatz
