#include "kernels/shape/reshape.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Reshape, IsAViewWhereStridesAllowIt) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::reshape(x, dims({3, -1}))).meta("f32[3,2]{2,1}+0@cpu").view_of(x);
}
OP_TEST(Reshape, IsACopyElsewhere) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::reshape(x, dims({6}))).meta("f32[6]{1}+0@cpu").not_view_of(x).values({0, 1, 2, 3, 4, 5});
}
OP_TEST(Reshape, RefusesWhatViewRefuses) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::reshape(x, dims({-1, -1})); }, ErrorFamily::Runtime, "reshape.C1");
  expect_refused([&] { ops::reshape(x, dims({4})); }, ErrorFamily::Runtime, "reshape.C2");
}
OP_TEST(Reshape, AsTakesTheOtherTensorsSizes) {
  expect(ops::reshape_as(ramp("f32[2,3]"), ramp("f32[6]"))).meta("f32[6]{1}+0@cpu");
}
OP_TEST(Flatten, MergesARangeOfDims) {
  expect(ops::flatten(ramp("f32[2,3,4]"), 1)).meta("f32[2,12]{12,1}+0@cpu");
  expect(ops::flatten(ramp("f32[]"))).meta("f32[1]{1}+0@cpu");
}
OP_TEST(Flatten, OfOneDimIsTheTensorItself) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::flatten(x, 1, -1)).is(x);
}
OP_TEST(Flatten, RefusesAStartAfterTheEnd) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::flatten(x, 1, 0); }, ErrorFamily::Runtime, "flatten.C1");
}
OP_TEST(Ravel, CopiesOnlyWhereItMust) {
  Tensor x = ramp("f32[2,3]"), y = ramp("f32[2,3]{1,2}");
  expect(ops::ravel(x)).view_of(x);
  expect(ops::ravel(y)).not_view_of(y).values({0, 1, 2, 3, 4, 5});
}

}  // namespace
}  // namespace ersatz
