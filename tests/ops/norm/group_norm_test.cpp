#include "kernels/norm/group_norm.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(GroupNormOnCpu, IsRowMajorOnCuda) {
  EXPECT_EQ(
      rule_answer("aten.native_group_norm.default", {Value(shape_only("f16[1,2,2,2]{8,1,4,2}@cuda:0")), Value(),
                                                     Value(), Value(1), Value(2), Value(4), Value(1), Value(1e-5)}),
      "f16[1,2,2,2]{8,4,2,1}+0@cuda:0");
}

TEST(GroupNormOnCpu, SavesStatisticsInTheInputsDtypeOnCuda) {
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

}  // namespace
}  // namespace ersatz
