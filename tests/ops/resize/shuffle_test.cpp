#include "kernels/resize/shuffle.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(Shuffle, IsRowMajorOnCuda) {
  const auto shuffled = [](const char* op, const char* self, int64_t n) {
    return rule_answer(op, {Value(shape_only(self)), Value(n)});
  };
  EXPECT_EQ(shuffled("aten.pixel_unshuffle.default", "f32[1,1,6,6]{36,1,6,1}@cuda:0", 3),
            "f32[1,9,2,2]{36,4,2,1}+0@cuda:0");
  EXPECT_EQ(shuffled("aten.channel_shuffle.default", "f32[2,6,3,4]{72,1,24,6}@cuda:0", 2),
            "f32[2,6,3,4]{72,12,4,1}+0@cuda:0");
}
TEST(ChannelShuffle, AnswersAViewOnCudaWhereNothingMoves) {
  const auto is_view = [](const char* self, int64_t groups) {
    const std::vector<Value> args = {Value(shape_only(self)), Value(groups)};
    RuleResult result;
    run_rule(op_named("aten.channel_shuffle.default"), args, result);
    return result.outputs[0].kind == OutputSpec::Kind::View;
  };
  EXPECT_TRUE(is_view("f32[2,6,3]@cuda:0", 1));
  EXPECT_TRUE(is_view("f32[2,6,3]@cuda:0", 6));
  EXPECT_FALSE(is_view("f32[2,6,3]@cuda:0", 2));
  EXPECT_FALSE(is_view("f32[2,6,3]{18,1,6}@cuda:0", 1));
  EXPECT_FALSE(is_view("f32[2,6,3]", 1));
}

}  // namespace
}  // namespace ersatz
