#include "kernels/shape/transpose.h"

#include "tests/ops/op_expect.h"

namespace ersatz {
namespace {
using namespace ersatz::test;

TEST(Transpose, TSwapsTheDimsOfAMatrix) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::t(x)).meta("f32[3,2]{1,3}+0@cpu").shares(x).values({0, 3, 1, 4, 2, 5});
}
TEST(Transpose, TOfAVectorIsAnotherHandle) {
  Tensor x = ramp("f32[3]");
  expect(ops::t(x)).meta("f32[3]{1}+0@cpu").shares(x);
}
TEST(Transpose, TRefusesThreeDims) {
  Tensor x = ramp("f32[2,3,4]");
  expect_refused([&] { ops::t(x); }, ErrorFamily::Runtime, "t.C1");
}
TEST(Transpose, CountsDimsFromTheEnd) {
  expect(ops::transpose(ramp("f32[2,3,4]"), 0, -1)).meta("f32[4,3,2]{1,4,12}+0@cpu");
}
TEST(Transpose, OfAZeroDimTensorTakesDimsZeroAndMinusOne) {
  expect(ops::transpose(ramp("f32[]"), 0, -1)).meta("f32[]{}+0@cpu");
}
TEST(Transpose, RefusesADimOutOfRange) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::transpose(x, 0, 2); }, ErrorFamily::Index, "transpose.dim");
}
TEST(Transpose, InPlaceChangesTheTensorItself) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::t_(x)).is(x).meta("f32[3,2]{1,3}+0@cpu").values({0, 3, 1, 4, 2, 5});
  expect(ops::transpose_(x, 0, 1)).is(x).meta("f32[2,3]{3,1}+0@cpu");
}

}  // namespace
}  // namespace ersatz
