#include "kernels/shape/transpose.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Transpose, TSwapsTheDimsOfAMatrix) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::t(x)).meta("f32[3,2]{1,3}+0@cpu").view_of(x).values({0, 3, 1, 4, 2, 5});
}
OP_TEST(Transpose, TOfAVectorIsAnotherHandle) {
  Tensor x = ramp("f32[3]");
  expect(ops::t(x)).meta("f32[3]{1}+0@cpu").view_of(x);
}
OP_TEST(Transpose, TRefusesThreeDims) {
  Tensor x = ramp("f32[2,3,4]");
  expect_refused([&] { ops::t(x); }, ErrorFamily::Runtime, "t.C1");
}
OP_TEST(Transpose, CountsDimsFromTheEnd) {
  expect(ops::transpose(ramp("f32[2,3,4]"), 0, -1)).meta("f32[4,3,2]{1,4,12}+0@cpu");
}
OP_TEST(Transpose, OfAZeroDimTensorTakesDimsZeroAndMinusOne) {
  expect(ops::transpose(ramp("f32[]"), 0, -1)).meta("f32[]{}+0@cpu");
}
OP_TEST(Transpose, RefusesADimOutOfRange) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::transpose(x, 0, 2); }, ErrorFamily::Index, "transpose.dim");
}
OP_TEST(Transpose, InPlaceChangesTheTensorItself) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::t_(x)).is(x).meta("f32[3,2]{1,3}+0@cpu").values({0, 3, 1, 4, 2, 5});
  expect(ops::transpose_(x, 0, 1)).is(x).meta("f32[2,3]{3,1}+0@cpu");
}

}  // namespace
}  // namespace ersatz
