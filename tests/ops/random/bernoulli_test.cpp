#include "kernels/random/bernoulli.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Bernoulli, DrawsZerosAndOnesRowMajor) {
  expect(ops::bernoulli(make("f32[2,2]{1,2}", {0, 1, 1, 0}))).meta("f32[2,2]").values({0, 1, 1, 0});
  expect(ops::bernoulli(ramp("i64[2,2]{1,2}"), 1.0)).meta("i64[2,2]").values({1, 1, 1, 1});
}
OP_TEST(Bernoulli, WithATensorOfProbabilitiesKeepsTheLayout) {
  expect(ops::bernoulli(ramp("f32[2,3]{1,2}"), make("f32[3]", {1, 0, 1})))
      .meta("f32[2,3]{1,2}")
      .values({1, 0, 1, 1, 0, 1});
}
OP_TEST(Bernoulli, InPlaceReturnsSelf) {
  Tensor x = ramp("f32[2,2]{1,2}");
  expect(ops::bernoulli_(x, 0.0)).is(x).meta("f32[2,2]{1,2}").values({0, 0, 0, 0});
  expect(ops::bernoulli_(x, make("f64[2]", {1, 0}))).is(x).values({1, 0, 1, 0});
}
TEST(Bernoulli, ProbabilityOutOfRangeIsValueFailure) {
  Tensor x = make("f32[2]", {0.5, 2});
  try {
    ops::bernoulli(x);
    FAIL();
  } catch (const Error& e) {
    EXPECT_TRUE(e.value_failure);
  }
}
TEST(Bernoulli, AboutAsManyAsTheProbabilitySays) {
  double ones = 0;
  for (double v : values_of(ops::bernoulli(f32({10000}), 0.25))) ones += v;
  EXPECT_NEAR(ones, 2500, 200);
}

OP_TEST(Dropout, InTrainingScalesWhatIsKept) {
  auto [y, mask] = ops::native_dropout(ramp("f32[2,3]{1,2}"), 0.5, true);
  expect(y).meta("f32[2,3]{1,2}");
  expect(mask).meta("bool[2,3]{1,2}");
  if (is_fake_run()) return;
  const std::vector<double> kept = values_of(mask), got = values_of(y);
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(got[i], kept[i] * 2.0 * static_cast<double>(i));
}
OP_TEST(Dropout, OutOfTrainingIsACopyAndOnes) {
  auto [y, mask] = ops::native_dropout(ramp("f32[3]"), 0.5, false);
  expect(y).values({0, 1, 2});
  expect(mask).meta("bool[3]").values({1, 1, 1});
}
TEST(DropoutOnCuda, EmptyInputGivesCopyAndBoolMask) {
  const std::vector<Value> args = {Value(shape_only("f32[0]@cuda:0")), Value(0.5), Value(false)};
  RuleResult result;
  run_rule(op_named("aten.native_dropout.default"), args, result);
  EXPECT_EQ(result.outputs[0].kind, OutputSpec::Kind::Fresh);
  EXPECT_EQ(to_string(result.outputs[0].meta), "f32[0]{1}+0@cuda:0");
  EXPECT_EQ(to_string(result.outputs[1].meta), "bool[0]{1}+0@cuda:0");
}
TEST(DropoutOnCuda, TrainsOnFloatsOnly) {
  const auto run = [](double p, bool train) {
    return rule_answer("aten.native_dropout.default", {Value(shape_only("c64[3]@cuda:0")), Value(p), Value(train)});
  };
  expect_refused([&] { run(0.5, true); }, ErrorFamily::NotImplemented, "");
  EXPECT_EQ(run(0.5, false), "c64[3]{1}+0@cuda:0");
  EXPECT_EQ(run(1, true), "c64[3]{1}+0@cuda:0");
}
OP_TEST(Dropout, DropsInPlace) {
  const Tensor x = ramp("f32[2,3]{1,2}");
  EXPECT_TRUE(call("aten.dropout_.default", {x, 1.0, true})[0].tensor().is(x));
  expect(x).meta("f32[2,3]{1,2}").values({0, 0, 0, 0, 0, 0});
}

}  // namespace
}  // namespace ersatz
