#include "kernels/shape/slice.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Slice, TakesEveryStepthIndex) {
  Tensor x = ramp("f32[7,2]");
  expect(ops::slice(x, 0, 1, 6, 2)).meta("f32[3,2]{4,1}+2@cpu").view_of(x).values({2, 3, 6, 7, 10, 11});
}
OP_TEST(Slice, CountsFromTheEndAndClamps) {
  expect(ops::slice(ramp("f32[5]"), 0, -2, INT64_MAX)).meta("f32[2]{1}+3@cpu");
  expect(ops::slice(ramp("f32[5]"), 0, -9, 9)).meta("f32[5]{1}+0@cpu");
  expect(ops::slice(ramp("f32[5]"), 0, 4, 2)).meta("f32[0]{1}+4@cpu");
}
OP_TEST(Slice, TakesAStepBeyondTheEnd) {
  expect(ops::slice(ramp("f32[5]"), 0, 1, 4, INT64_MAX)).meta("f32[1]{9223372036854775807}+1@cpu");
}
OP_TEST(Slice, RefusesATensorWithoutDims) {
  Tensor x = ramp("f32[]");
  expect_refused([&] { ops::slice(x, 0, 0, 1); }, ErrorFamily::Index, "slice.C1");
}
OP_TEST(Slice, RefusesAStepThatIsNotPositive) {
  Tensor x = ramp("f32[5]");
  expect_refused([&] { ops::slice(x, 0, 0, 4, 0); }, ErrorFamily::Runtime, "slice.C2");
}
OP_TEST(Select, TakesOneIndexAndDropsTheDim) {
  expect(ops::select(ramp("f32[2,3,2]"), 1, -1)).meta("f32[2,2]{6,1}+4@cpu").values({4, 5, 10, 11});
}
OP_TEST(Select, RefusesAnIndexOutOfRange) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::select(x, 0, 2); }, ErrorFamily::Index, "select.C2");
  expect_refused([&] { ops::select(x, 0, -3); }, ErrorFamily::Index, "select.C2");
}
OP_TEST(Select, RefusesATensorWithoutDims) {
  Tensor x = ramp("f32[]");
  expect_refused([&] { ops::select(x, 0, 0); }, ErrorFamily::Index, "select.C1");
}
OP_TEST(Narrow, TakesALengthFromAStart) {
  expect(ops::narrow(ramp("f32[5]"), 0, -3, 2)).meta("f32[2]{1}+2@cpu").values({2, 3});
}
OP_TEST(Narrow, RefusesWhatIsNotThere) {
  Tensor x = ramp("f32[5]"), scalar = ramp("f32[]");
  expect_refused([&] { ops::narrow(scalar, 0, 0, 1); }, ErrorFamily::Runtime, "narrow.C1");
  expect_refused([&] { ops::narrow(x, 0, 0, -1); }, ErrorFamily::Runtime, "narrow.C2");
  expect_refused([&] { ops::narrow(x, 0, 6, 0); }, ErrorFamily::Index, "narrow.C3");
  expect_refused([&] { ops::narrow(x, 0, 4, 2); }, ErrorFamily::Runtime, "narrow.C4");
}

TEST(Narrow, ReadsItsStartFromATensor) {
  const Tensor x = ramp("f32[5]");
  expect(ops::narrow(x, 0, i64({}, {3}), 2)).meta("f32[2]+3").values({3, 4});
}

}  // namespace
}  // namespace ersatz
