#include "kernels/random/dropout_family.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(DropoutFamily, GivesTheInputItselfWhereNothingIsDropped) {
  const Tensor x = ramp("f32[2,3]");
  for (const char* op : {"aten.alpha_dropout.default", "aten.feature_dropout.default"}) {
    EXPECT_TRUE(run(op, {x, 0.5, false}).is(x)) << op;
    EXPECT_TRUE(run(op, {x, 0.0, true}).is(x)) << op;
  }
}
OP_TEST(DropoutFamily, DropsAllForAProbabilityOfOne) {
  expect(run("aten.feature_alpha_dropout.default", {f32({1, 2}, {3, 4}), 1.0, true})).meta("f32[1,2]").values({0, 0});
}
TEST(DropoutFamily, DropsWholeChannels) {
  const Tensor y = run("aten.feature_dropout.default", {make("f32[4,8,3]", std::vector<double>(96, 1.0)), 0.5, true});
  const float* v = y.data<float>();
  int dropped = 0;
  for (int c = 0; c < 32; ++c) {
    EXPECT_TRUE(v[3 * c] == 0 || v[3 * c] == 2) << c;
    EXPECT_TRUE(v[3 * c] == v[3 * c + 1] && v[3 * c] == v[3 * c + 2]) << c;
    dropped += v[3 * c] == 0;
  }
  EXPECT_GT(dropped, 4);
  EXPECT_LT(dropped, 28);
}
TEST(DropoutFamily, AlphaDropoutKeepsMeanAndVariance) {
  const int n = 40000;
  Tensor x = call_op<"aten.normal_.default">(make("f64[40000]", std::vector<double>(n, 0.0)), 0.0, 1.0, Value());
  const Tensor y = run("aten.alpha_dropout.default", {x, 0.25, true});
  double mean = 0, square = 0;
  for (int i = 0; i < n; ++i) {
    mean += y.data<double>()[i] / n;
    square += y.data<double>()[i] * y.data<double>()[i] / n;
  }
  EXPECT_NEAR(mean, 0, 0.05);
  EXPECT_NEAR(square - mean * mean, 1, 0.1);
}
}  // namespace
}  // namespace ersatz
