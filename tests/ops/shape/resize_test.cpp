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
OP_TEST(ResizeOfACopy, LeavesTheArgument) {
  const Tensor x = ramp("f32[2,3]{1,2}");
  expect(run("aten.resize.default", {x, ints({2, 2})})).meta("f32[2,2]").not_view_of(x);
  expect(run("aten.resize_as.default", {x, ramp("i64[4]")})).meta("f32[4]").not_view_of(x);
  expect(x).meta("f32[2,3]{1,2}");
}
TEST(ResizeOfACopy, RefusesAnOutOnAnotherDevice) {
  FakeMode mode;
  const FakeScope scope(mode);
  const Tensor x = mode.make(parse_meta("f32[2]")), out = mode.make(parse_meta("f32[2]@cuda:0"));
  expect_refused([&] { run("aten.set.out", {x}, {{"out", out}}); }, ErrorFamily::Runtime, "set.out_device");
}

}  // namespace
}  // namespace ersatz
