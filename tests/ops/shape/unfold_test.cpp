#include "kernels/shape/unfold.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Unfold, MakesWindowsALastDim) {
  Tensor x = ramp("f32[7]");
  expect(ops::unfold(x, 0, 3, 2)).meta("f32[3,3]{2,1}+0@cpu").view_of(x).values({0, 1, 2, 2, 3, 4, 4, 5, 6});
}
OP_TEST(Unfold, OfAZeroDimTensorHasOneWindow) { expect(ops::unfold(ramp("f32[]"), 0, 1, 1)).meta("f32[1]{1}+0@cpu"); }
OP_TEST(Unfold, RefusesWindowsThatDoNotFit) {
  Tensor x = ramp("f32[7]");
  expect_refused([&] { ops::unfold(x, 0, -1, 1); }, ErrorFamily::Runtime, "unfold.C1");
  expect_refused([&] { ops::unfold(x, 0, 8, 1); }, ErrorFamily::Runtime, "unfold.C2");
  expect_refused([&] { ops::unfold(x, 0, 3, 0); }, ErrorFamily::Runtime, "unfold.C3");
}
OP_TEST(Diagonal, ReadsTheMainOneAndThoseBesideIt) {
  expect(ops::diagonal(ramp("f32[3,4]"))).meta("f32[3]{5}+0@cpu").values({0, 5, 10});
  expect(ops::diagonal(ramp("f32[3,4]"), 2)).meta("f32[2]{5}+2@cpu").values({2, 7});
  expect(ops::diagonal(ramp("f32[3,4]"), -1)).meta("f32[2]{5}+4@cpu").values({4, 9});
  expect(ops::diagonal(ramp("f32[3,4]"), 9)).meta("f32[0]{5}+0@cpu");
}
OP_TEST(Diagonal, BecomesTheLastDim) {
  expect(ops::diagonal(ramp("f32[2,3,4]"), 0, 0, 2)).meta("f32[3,2]{4,13}+0@cpu");
}
OP_TEST(Diagonal, RefusesOneDimTwice) {
  Tensor x = ramp("f32[3,4]");
  expect_refused([&] { ops::diagonal(x, 0, 1, -1); }, ErrorFamily::Runtime, "diagonal.C1");
}

}  // namespace
}  // namespace ersatz
