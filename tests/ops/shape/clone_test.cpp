#include "kernels/shape/clone.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Clone, KeepsDenseStrides) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::clone(x)).meta("f32[2,3]{1,2}+0@cpu").not_view_of(x).values({0, 1, 2, 3, 4, 5});
}
OP_TEST(Clone, MakesGapsAndBroadcastDimsDenseInTheirOrder) {
  expect(ops::clone(ramp("f32[2,3]{1,4}"))).meta("f32[2,3]{1,2}+0@cpu").values({0, 1, 2, 3, 4, 5});
  expect(ops::clone(make_view(ramp("f32[3]"), parse_meta("f32[2,3]{0,1}"))))
      .meta("f32[2,3]{3,1}")
      .values({0, 1, 2, 0, 1, 2});
}
OP_TEST(Clone, TakesTheFormatThatIsAskedFor) {
  expect(ops::clone(ramp("f32[1,2,2,1]"), MemoryFormat::ChannelsLast))
      .meta("f32[1,2,2,1]{4,1,2,2}+0@cpu")
      .values({0, 1, 2, 3});
  expect(ops::clone(ramp("f32[2,3]{1,2}"), MemoryFormat::Contiguous)).meta("f32[2,3]{3,1}+0@cpu");
}
OP_TEST(Clone, ResizesOutRowMajor) {
  Tensor out = make("f32[0]");
  run("aten.clone.out", {ramp("f32[2,3]{1,2}")}, {{"out", out}});
  expect(out).meta("f32[2,3]{3,1}").values({0, 1, 2, 3, 4, 5});
}
OP_TEST(Clone, RefusesARankThatTheFormatDoesNotHave) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::clone(x, MemoryFormat::ChannelsLast); }, ErrorFamily::Runtime, "clone.C1");
}
OP_TEST(Contiguous, IsTheTensorItselfWhereNothingIsToDo) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::contiguous(x)).is(x);
}
OP_TEST(Contiguous, CopiesElsewhere) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::contiguous(x)).meta("f32[2,3]{3,1}+0@cpu").not_view_of(x).values({0, 1, 2, 3, 4, 5});
}
OP_TEST(Contiguous, RefusesPreserve) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect_refused([&] { ops::contiguous(x, MemoryFormat::Preserve); }, ErrorFamily::Runtime, "contiguous.C1");
}

OP_TEST(CopyStrided, HasTheAskedStrides) {
  expect(ops::copy_strided(ramp("f32[2,2]{1,2}+1"), dims({1, 5}))).meta("f32[2,2]{1,5}+0").values({0, 1, 2, 3});
}

}  // namespace
}  // namespace ersatz
