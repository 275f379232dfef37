#include "kernels/norm/norm.h"

#include <cmath>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(BatchNorm, UpdatesRunningStatisticsInTraining) {
  Tensor mean = f32({1}, {0}), var = f32({1}, {1});
  expect(ops::batch_norm(f32({2, 1}, {1, 3}), Tensor(), Tensor(), mean, var, true, 0.5, 0))
      .meta("f32[2,1]")
      .values({-1, 1});
  expect(mean).values({1});
  expect(var).values({1.5});
}

OP_TEST(BatchNorm, ScalesAnEmptyInputByTheFirstChannel) {
  expect(ops::batch_norm(ramp("f32[0,3]"), f32({3}), f32({3}), Tensor(), Tensor(), true, 0.1, 1e-5)).meta("f32[0,3]");
}

OP_TEST(InstanceNorm, NormalisesEachChannelOfEachImage) {
  Tensor mean = f32({1}, {0}), var = f32({1}, {1});
  expect(ops::instance_norm(f32({2, 1, 2}, {1, 3, 10, 30}), Tensor(), Tensor(), mean, var, true, 0.5, 0))
      .meta("f32[2,1,2]")
      .values({-1, 1, -1, 1});
  expect(mean).values({5.5});  // 0.5 * (2 + 20) / 2
}

OP_TEST(InstanceNorm, MakesChannelsLastRowMajor) {
  expect(ops::instance_norm(ramp("f32[2,3,4,5]{60,1,15,3}"), Tensor(), Tensor(), Tensor(), Tensor(), true, 0.1, 1e-5))
      .meta("f32[2,3,4,5]");
}

OP_TEST(LayerNorm, NormalisesTheLastDims) {
  const SymInt two = 2;
  expect(ops::layer_norm(f32({2, 2}, {1, 3, 5, 9}), std::span(&two, 1), f32({2}, {1, 2}), f32({2}, {0, 1}), 0))
      .meta("f32[2,2]")
      .values({-1, 3, -1, 3});
}

OP_TEST(GroupNorm, KeepsChannelsLastAndFillsTheRest) {
  expect(ops::group_norm(ramp("f32[2,4,3,3]{36,1,12,4}"), 2)).meta("f32[2,4,3,3]{36,1,12,4}");
  expect(ops::group_norm(ramp("f32[2,4,3]{1,6,2}"), 2)).meta("f32[2,4,3]");
}

OP_TEST(RmsNorm, DividesByTheRootOfTheMeanSquare) {
  expect(ops::rms_norm(f32({1, 2}, {3, 4}), dims({2}), f32({2}, {1, 2}), 0.0))
      .meta("f32[1,2]")
      .values({0.848528, 2.262742});
}

OP_TEST(RmsNorm, KeepsMemoryFormatsOnly) {
  expect(ops::rms_norm(ramp("f32[2,3,4,5]{60,1,15,3}"), dims({5}))).meta("f32[2,3,4,5]{60,1,15,3}");
  expect(ops::rms_norm(ramp("f32[3,5]{1,3}"), dims({5}))).meta("f32[3,5]");
}

OP_TEST(RmsNorm, RefusesTooFewDimsAsAValue) {
  expect_refused([] { ops::rms_norm(ramp("f32[3]"), dims({1, 3})); }, ErrorFamily::Value, "rms_norm.C3");
}
OP_TEST(RmsNorm, FusedSavesTheScaleOfEachRow) {
  const auto [out, scale] = ops::_fused_rms_norm(f64({2, 2}, {3, 4, 0, 2}), dims({2}), f64({2}, {2, 1}), 0.0);
  const double first = std::sqrt(2 / 25.0), second = std::sqrt(2 / 4.0);
  expect(out).meta("f64[2,2]").values({6 * first, 4 * first, 0, 2 * second});
  expect(scale).meta("f64[2,1]").values({first, second});
}
OP_TEST(RmsNorm, GradientIsAcrossTheNormalisedRow) {
  const Tensor x = f64({1, 2}, {1, 1}), grad = f64({1, 2}, {1, 0}), rstd = f64({1, 1}, {1}), w = f64({2}, {2, 1});
  const auto [of_input, of_weight] = ops::_fused_rms_norm_backward(grad, x, dims({2}), rstd, w, {true, true});
  expect(of_input).meta("f64[1,2]").values({1, -1});
  expect(of_weight).meta("f64[2]").values({1, 0});
}

}  // namespace
}  // namespace ersatz
