#include "kernels/random/rrelu.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Rrelu, HasTheMeanSlopeOutOfTraining) {
  expect(run("aten.rrelu.default", {f32({2}, {-4, 3}), 0.25, 0.75})).meta("f32[2]").values({-2, 3});
}
TEST(Rrelu, DrawsASlopeForEachNegativeElementInTraining) {
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
OP_TEST(RreluBackward, IsTheIncomingGradientTimesTheSlopes) {
  const Tensor g = f32({2}, {2, 3}), x = f32({2}, {-1, 1}), noise = f32({2}, {0.5, 1});
  expect(run("aten.rrelu_with_noise_backward.default", {g, x, noise, 0.25, 0.75, true, false})).values({1, 3});
  expect(run("aten.rrelu_with_noise_backward.default", {g, x, noise, 0.25, 0.25, false, false})).values({0.5, 3});
}

TEST(Rrelu, DrawsFromAFiniteRangeIfItDraws) {
  const auto call = [](const char* sizes, double upper) {
    return run("aten.rrelu_with_noise.default", {make(sizes), make(sizes), 0.25, upper, true});
  };
  const double infinity = std::numeric_limits<double>::infinity();
  expect(call("f64[2,0]", infinity)).meta("f64[2,0]");
  expect_refused([&] { call("f64[2]", infinity); }, ErrorFamily::Runtime, "rrelu_with_noise.C5.or_any");
  expect_refused([&] { call("f32[0]", 1e39); }, ErrorFamily::Runtime, "rrelu_with_noise.C6");
}

}  // namespace
}  // namespace ersatz
