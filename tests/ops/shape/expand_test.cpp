#include "kernels/shape/expand.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Expand, RepeatsADimOfSizeOneWithStrideZero) {
  Tensor x = ramp("f32[2,1]");
  expect(ops::expand(x, dims({2, 3}))).meta("f32[2,3]{1,0}+0@cpu").view_of(x).values({0, 0, 0, 1, 1, 1});
}
OP_TEST(Expand, AddsDimsAndKeepsSizesThatAreMinusOne) {
  expect(ops::expand(ramp("f32[3]"), dims({2, -1}))).meta("f32[2,3]{0,1}+0@cpu");
}
OP_TEST(Expand, GivesANewDimOfSizeOneItsContiguousStride) {
  expect(ops::expand(ramp("f32[3]"), dims({1, 1, 3}))).meta("f32[1,1,3]{3,3,1}+0@cpu");
}
OP_TEST(Expand, RefusesFewerDims) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::expand(x, dims({3})); }, ErrorFamily::Runtime, "expand.C1");
}
OP_TEST(Expand, RefusesMinusOneForANewDim) {
  Tensor x = ramp("f32[3]");
  expect_refused([&] { ops::expand(x, dims({-1, 3})); }, ErrorFamily::Runtime, "expand.C2");
}
OP_TEST(Expand, RefusesToChangeOtherSizes) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::expand(x, dims({4, 3})); }, ErrorFamily::Runtime, "expand.C3");
}
OP_TEST(Expand, AsTakesTheOtherTensorsSizes) {
  expect(ops::expand_as(ramp("f32[1]"), ramp("f32[4]"))).meta("f32[4]{0}+0@cpu");
}
OP_TEST(Expand, BroadcastToIsExpand) {
  expect(ops::broadcast_to(ramp("f32[]"), dims({2, 2}))).meta("f32[2,2]{0,0}+0@cpu");
}

}  // namespace
}  // namespace ersatz
