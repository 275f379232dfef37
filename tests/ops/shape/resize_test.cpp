#include "kernels/shape/resize.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Resize, GrowsTheStorageAndKeepsWhatWasThere) {
  Tensor x = ramp("f32[2]");
  expect(ops::resize_(x, dims({2, 3}))).is(x).meta("f32[2,3]");
  EXPECT_EQ(x.storage()->nbytes().as_int(), 24);
  if (!is_fake_run()) {
    EXPECT_EQ(elements(x)[1], 1.0);
  }
}
OP_TEST(Resize, ShrinkingKeepsTheStorage) {
  Tensor x = ramp("f32[6]");
  expect(ops::resize_(x, dims({2}))).is(x).meta("f32[2]").values({0, 1});
  EXPECT_EQ(x.storage()->nbytes().as_int(), 24);
}
OP_TEST(Resize, ToTheSameSizesKeepsTheStrides) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::resize_(x, dims({2, 3}))).meta("f32[2,3]{1,2}");
  expect(ops::resize_(x, dims({2, 3}), MemoryFormat::Contiguous)).meta("f32[2,3]{3,1}");
}
OP_TEST(Resize, TakesAMemoryFormat) {
  Tensor x = ramp("f32[2]");
  expect(ops::resize_(x, dims({1, 2, 3, 4}), MemoryFormat::ChannelsLast)).meta("f32[1,2,3,4]{24,1,8,2}");
}
OP_TEST(Resize, RefusesNegativeSizesAndPreserve) {
  Tensor x = ramp("f32[2]");
  expect_refused([&] { ops::resize_(x, dims({-1})); }, ErrorFamily::Runtime, "resize_.C1");
  expect_refused([&] { ops::resize_(x, dims({3}), MemoryFormat::Preserve); }, ErrorFamily::Runtime, "resize_.C2");
}

OP_TEST(ResizeAs, TakesTheSizesOfAnotherTensor) {
  Tensor x = ramp("f32[2]");
  expect(ops::resize_as_(x, ramp("i64[2,3]{1,2}"))).is(x).meta("f32[2,3]");
}
OP_TEST(ResizeAs, PreservesWhatTheTemplateLooksLike) {
  Tensor x = ramp("f32[2]");
  expect(ops::resize_as_(x, ramp("f32[1,2,3,4]{24,1,8,2}"), MemoryFormat::Preserve)).meta("f32[1,2,3,4]{24,1,8,2}");
  Tensor like = ramp("f32[3]"), y = ramp("f32[2]");
  expect_refused([&] { ops::resize_as_(y, like, MemoryFormat::ChannelsLast); }, ErrorFamily::Runtime, "resize_as_.C2");
}

}  // namespace
}  // namespace ersatz
