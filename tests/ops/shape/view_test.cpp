#include "kernels/shape/view.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(View, TakesAnotherShapeOnTheSameMemory) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::view(x, dims({3, 2}))).meta("f32[3,2]{2,1}+0@cpu").view_of(x).values({0, 1, 2, 3, 4, 5});
}
OP_TEST(View, InfersTheSizeThatIsMinusOne) {
  expect(ops::view(ramp("f32[4,6]"), dims({2, -1, 3}))).meta("f32[2,4,3]{12,3,1}+0@cpu");
}
OP_TEST(View, SplitsAndMergesDimsOfTransposedMemory) {
  expect(ops::view(ramp("f32[4,6]{1,4}"), dims({2, 2, 6}))).meta("f32[2,2,6]{2,1,4}+0@cpu");
  expect(ops::view(ramp("f32[2,3,4]{1,8,2}"), dims({2, 12}))).meta("f32[2,12]{1,2}+0@cpu");
}
OP_TEST(View, KeepsTheOffset) {
  Tensor x = make_view(ramp("f32[10]"), parse_meta("f32[2,3]{3,1}+4"));
  expect(ops::view(x, dims({6}))).meta("f32[6]{1}+4@cpu").values({4, 5, 6, 7, 8, 9});
}
OP_TEST(View, OfNoElementsTakesAnyShapeOfNoElements) {
  expect(ops::view(ramp("f32[0,3]"), dims({5, 0}))).meta("f32[5,0]{1,1}+0@cpu");
}
OP_TEST(View, OfRankAboveInlineRoomWorks) {
  expect(ops::view(ramp("f32[6]"), dims({1, 1, 1, 1, 2, 1, 1, 1, 3, 1}))).values({0, 1, 2, 3, 4, 5});
}
OP_TEST(View, RefusesTwoInferredSizes) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::view(x, dims({-1, -1})); }, ErrorFamily::Runtime, "view.C1");
}
OP_TEST(View, RefusesAnotherNumberOfElements) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::view(x, dims({4})); }, ErrorFamily::Runtime, "view.C2");
}
OP_TEST(View, RefusesAShapeThatNeedsACopy) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect_refused([&] { ops::view(x, dims({6})); }, ErrorFamily::Runtime, "view.C3");
}
OP_TEST(View, AsTakesTheOtherTensorsSizes) {
  expect(ops::view_as(ramp("f32[2,3]"), ramp("i64[3,2]"))).meta("f32[3,2]{2,1}+0@cpu");
}
OP_TEST(View, UnsafeSharesMemoryToo) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::unsafe_view(x, dims({6}))).meta("f32[6]{1}+0@cpu").view_of(x);
}

}  // namespace
}  // namespace ersatz
