#include "kernels/shape/resize.h"

#include "fake/mode/fake_mode.h"
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

OP_TEST(ResizeOfACopy, LeavesTheArgument) {
  const Tensor x = ramp("f32[2,3]{1,2}");
  expect(run("aten.resize.default", {x, ints({2, 2})})).meta("f32[2,2]").not_view_of(x);
  expect(run("aten.resize_as.default", {x, ramp("i64[4]")})).meta("f32[4]").not_view_of(x);
  expect(x).meta("f32[2,3]{1,2}");
}
OP_TEST(ResizeOfACopy, PutsItIntoOut) {
  const Tensor x = ramp("f32[2,3]"), out = ramp("f32[1]");
  expect(run("aten.resize.out", {x, ints({2, 2})}, {{"out", out}})).is(out).meta("f32[2,2]");
  expect_refused(
      [&] {
        run("aten.resize.out", {x, ints({2, 2})}, {{"out", ramp("f64[2,2]")}});
      },
      ErrorFamily::Runtime, "resize.out_dtype");
}
TEST(ResizeOfACopy, RefusesAnOutOnAnotherDevice) {
  FakeMode mode;
  const FakeScope scope(mode);
  const Tensor x = mode.make(parse_meta("f32[2]")), out = mode.make(parse_meta("f32[2]@cuda:0"));
  expect_refused([&] { run("aten.set.out", {x}, {{"out", out}}); }, ErrorFamily::Runtime, "set.out_device");
}

}  // namespace
}  // namespace ersatz
