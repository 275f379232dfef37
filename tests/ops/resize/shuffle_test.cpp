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

}  // namespace
}  // namespace ersatz
