#include "kernels/resize/upsample.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(Upsample, KeepsChannelsLastOnCudaForFewChannels) {
  EXPECT_EQ(rule_answer("aten.upsample_bilinear2d.default",
                        {Value(shape_only("f32[2,3,4,5]{60,1,15,3}@cuda:0")), ints({2, 2}), Value(false)}),
            "f32[2,3,2,2]{12,1,6,3}+0@cuda:0");
  EXPECT_EQ(rule_answer("aten.upsample_trilinear3d.default",
                        {Value(shape_only("f32[1,2,2,2,2]{16,1,8,4,2}@cuda:0")), ints({1, 1, 3}), Value(false)}),
            "f32[1,2,1,1,3]{6,1,6,6,2}+0@cuda:0");
  EXPECT_EQ(
      rule_answer("aten.upsample_nearest2d.out", {Value(shape_only("f32[2,3,4,5]{60,1,15,3}@cuda:0")), ints({2, 2})},
                  {{"out", Value(shape_only("f32[0]@cuda:0"))}}),
      "f32[2,3,2,2]{12,1,6,3}+0@cuda:0");
}
}  // namespace
}  // namespace ersatz
