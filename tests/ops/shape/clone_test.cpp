#include "kernels/shape/clone.h"

#include "tests/ops/op_expect.h"

namespace ersatz {
namespace {
using namespace ersatz::test;

TEST(Clone, KeepsDenseStrides) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::clone(x)).meta("f32[2,3]{1,2}+0@cpu").fresh(x).values({0, 1, 2, 3, 4, 5});
}
TEST(Clone, MakesGapsAndBroadcastDimsDenseInTheirOrder) {
  expect(ops::clone(ramp("f32[2,3]{1,4}"))).meta("f32[2,3]{1,2}+0@cpu").values({0, 1, 2, 3, 4, 5});
  expect(ops::clone(shape_only("f32[2,3]{0,1}@meta"))).meta("f32[2,3]{3,1}+0@meta");
}
TEST(Clone, TakesTheFormatThatIsAskedFor) {
  expect(ops::clone(ramp("f32[1,2,2,1]"), MemoryFormat::ChannelsLast))
      .meta("f32[1,2,2,1]{4,1,2,2}+0@cpu")
      .values({0, 1, 2, 3});
  expect(ops::clone(ramp("f32[2,3]{1,2}"), MemoryFormat::Contiguous)).meta("f32[2,3]{3,1}+0@cpu");
}
TEST(Clone, RefusesARankThatTheFormatDoesNotHave) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::clone(x, MemoryFormat::ChannelsLast); }, ErrorFamily::Runtime, "clone.C1");
}
TEST(Contiguous, IsTheTensorItselfWhereNothingIsToDo) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::contiguous(x)).is(x);
}
TEST(Contiguous, CopiesElsewhere) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::contiguous(x)).meta("f32[2,3]{3,1}+0@cpu").fresh(x).values({0, 1, 2, 3, 4, 5});
}
TEST(Contiguous, RefusesPreserve) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect_refused([&] { ops::contiguous(x, MemoryFormat::Preserve); }, ErrorFamily::Runtime, "contiguous.C1");
}

}  // namespace
}  // namespace ersatz
