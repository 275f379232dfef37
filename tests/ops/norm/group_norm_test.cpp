#include "kernels/norm/group_norm.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(GroupNormOnCpu, NormalisesGroupsOfChannels) {
  const Tensor weight = tensor_of<float>({1, 2}, {2}), bias = tensor_of<float>({0, 10}, {2});
  auto [out, mean, rstd] = ops::native_group_norm(ramp("f32[1,2,2]"), weight, bias, 1, 2, 2, 2, 0.0);
  expect(out).meta("f32[1,2,2]{4,2,1}+0@cpu").values({-1, 1, 8, 12});
  expect(mean).meta("f32[1,2]{2,1}+0@cpu").values({0.5, 2.5});
  expect(rstd).meta("f32[1,2]{2,1}+0@cpu").values({2, 2});
}

OP_TEST(GroupNorm, KeepsChannelsLastOnTheCpu) {
  auto [out, mean, rstd] = ops::native_group_norm(ramp("f32[1,2,1,2]{4,1,4,2}"), Tensor(), Tensor(), 1, 2, 2, 2, 0.0);
  expect(out).meta("f32[1,2,1,2]{4,1,4,2}+0@cpu").values({-1, 1, -1, 1});
}

TEST(GroupNormOnCpu, IsRowMajorOnCuda) {
  EXPECT_EQ(
      rule_answer("aten.native_group_norm.default", {Value(shape_only("f16[1,2,2,2]{8,1,4,2}@cuda:0")), Value(),
                                                     Value(), Value(1), Value(2), Value(4), Value(1), Value(1e-5)}),
      "f16[1,2,2,2]{8,4,2,1}+0@cuda:0");
}

TEST(GroupNormOnCpu, SavesStatisticsOfTheInputsDtypeOnCudaTooUnlessParametersAreF32) {
  const auto mean = [](const Value& weight) {
    return rule_answer_of(
        "aten.native_group_norm.default",
        {Value(shape_only("bf16[1,2,3]@cuda:0")), weight, Value(), Value(1), Value(2), Value(3), Value(1), Value(1e-5)},
        1);
  };
  EXPECT_EQ(mean(Value()), "bf16[1,1]{1,1}+0@cuda:0");
  EXPECT_EQ(mean(shape_only("bf16[2]@cuda:0")), "bf16[1,1]{1,1}+0@cuda:0");
  EXPECT_EQ(mean(shape_only("f32[2]@cuda:0")), "f32[1,1]{1,1}+0@cuda:0");
}

OP_TEST(GroupNorm, RefusesWhatDoesNotFit) {
  const Tensor in = ramp("f32[1,2,2]"), none;
  auto refused = [&](const Tensor& weight, int64_t points, int64_t group, const char* label) {
    expect_refused([&] { ops::native_group_norm(in, weight, Tensor(), 1, 2, points, group, 1e-5); },
                   ErrorFamily::Runtime, label);
  };
  refused(none, 2, 3, "native_group_norm.C1");
  refused(ramp("f32[3]"), 2, 1, "native_group_norm.C2");
  refused(ramp("f64[2]"), 2, 1, "native_group_norm.C3");
  refused(none, 3, 1, "native_group_norm.C4");
}

}  // namespace
}  // namespace ersatz
