#include "kernels/random/rrelu.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Rrelu, HasTheMeanSlopeOutOfTraining) {
  expect(run("aten.rrelu.default", {f32({2}, {-4, 3}), 0.25, 0.75})).meta("f32[2]").values({-2, 3});
}
TEST(Rrelu, DrawsSlopeForEachNegativeElementInTraining) {
  const Tensor x = f64({3}, {-1, -2, 5}), noise = f64({3}, {9, 9, 9});
  const Tensor y = run("aten.rrelu_with_noise.default", {x, noise, 0.25, 0.75, true});
  const double *v = y.data<double>(), *slope = noise.data<double>();
  for (int i : {0, 1}) {
    EXPECT_GE(slope[i], 0.25);
    EXPECT_LE(slope[i], 0.75);
    EXPECT_EQ(v[i], slope[i] * x.data<double>()[i]);
  }
  EXPECT_EQ(slope[2], 1);
  EXPECT_EQ(v[2], 5);
}
OP_TEST(RreluFunctional, ReturnsTheSlopesAndLeavesTheNoise) {
  const Tensor noise = f32({2, 2}, {7, 7, 7, 7});
  const auto results = call_op_all<"aten.rrelu_with_noise_functional.default">(
      make("f32[2,2]{1,2}", {1, -2, 3, -4}), noise, Scalar(0.5), Scalar(0.5), true, std::nullopt);
  expect(results[0].tensor()).meta("f32[2,2]{1,2}").values({1, -1, 3, -2});
  expect(results[1].tensor()).meta("f32[2,2]").values({1, 0.5, 1, 0.5});
  expect(noise).values({7, 7, 7, 7});
}
}  // namespace
}  // namespace ersatz
