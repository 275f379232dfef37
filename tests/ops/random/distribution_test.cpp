#include "kernels/random/distribution.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

double mean_of(const Tensor& t) {
  double sum = 0;
  for (double v : values_of(t)) sum += v;
  return sum / static_cast<double>(t.numel().as_int());
}

TEST(Distribution, HasItsMean) {
  const Tensor x = make("f64[20000]");
  EXPECT_NEAR(mean_of(ops::exponential_(x, 2)), 0.5, 0.03);
  EXPECT_NEAR(mean_of(ops::geometric_(x, 0.25)), 4, 0.2);
  EXPECT_NEAR(mean_of(ops::log_normal_(x, 0, 0.5)), std::exp(0.125), 0.05);
}
TEST(Distribution, CountsTrialsFromOne) {
  for (double v : values_of(ops::geometric_(make("i64[1000]"), 0.9))) EXPECT_GE(v, 1);
}
OP_TEST(Distribution, FillsSelfOfAnyLayout) {
  const Tensor x = ramp("f32[2,3]{1,2}");
  EXPECT_TRUE(ops::cauchy_(x).is(x));
  expect(x).meta("f32[2,3]{1,2}");
}
OP_TEST(Distribution, KeepsADenseLayoutInACopy) {
  EXPECT_EQ(rule_answer("aten.exponential.default", {ramp("f32[2,3]{1,2}")}), "f32[2,3]{1,2}+0@cpu");
  EXPECT_EQ(rule_answer("aten.uniform.default", {ramp("f32[2,3]{1,2}")}), "f32[2,3]{1,2}+0@cpu");
}
}  // namespace
}  // namespace ersatz
