#include "kernels/resize/shuffle.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(PixelShuffle, MakesPixelsOfChannels) {
  expect(ops::pixel_shuffle(ramp("i64[4,1,2]"), 2)).meta("i64[1,2,4]").values({0, 2, 1, 3, 4, 6, 5, 7});
}
OP_TEST(PixelUnshuffle, UndoesIt) {
  Tensor x = ramp("f32[2,1,4,6]");
  expect(ops::pixel_shuffle(ops::pixel_unshuffle(x, 2), 2)).meta("f32[2,1,4,6]").values([] {
    std::vector<double> v(48);
    for (size_t i = 0; i < v.size(); ++i) v[i] = double(i);
    return v;
  }());
}
OP_TEST(PixelUnshuffle, ClonesWhatIsEmpty) {
  expect(ops::pixel_unshuffle(ramp("f32[0,1,4,4]"), 2)).meta("f32[0,1,4,4]");
}
OP_TEST(ChannelShuffle, AnswersAViewOfWhatIsEmpty) {
  Tensor x = ramp("f32[0,2,3]");
  expect(ops::channel_shuffle(x, 2)).meta("f32[0,2,3]").view_of(x);
}
OP_TEST(ChannelShuffle, ExchangesGroupsAndChannels) {
  expect(ops::channel_shuffle(ramp("i64[1,6,1]"), 2)).meta("i64[1,6,1]").values({0, 3, 1, 4, 2, 5});
}
OP_TEST(Shuffle, KeepsChannelsLast) {
  expect(ops::pixel_shuffle(ramp("f32[2,8,3,4]{96,1,32,8}"), 2)).meta("f32[2,2,6,8]{96,1,16,2}");
  expect(ops::channel_shuffle(ramp("f32[2,6,3,4]{72,1,24,6}"), 2)).meta("f32[2,6,3,4]{72,1,24,6}");
}
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
