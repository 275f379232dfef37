#include "kernels/shape/reshape.h"

#include "tests/ops/op_expect.h"

namespace ersatz {
namespace {
using namespace ersatz::test;

TEST(Reshape, IsAViewWhereStridesAllowIt) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::reshape(x, dims({3, -1}))).meta("f32[3,2]{2,1}+0@cpu").shares(x);
}
TEST(Reshape, IsACopyElsewhere) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::reshape(x, dims({6}))).meta("f32[6]{1}+0@cpu").fresh(x).values({0, 1, 2, 3, 4, 5});
}
TEST(Reshape, RefusesWhatViewRefuses) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::reshape(x, dims({-1, -1})); }, ErrorFamily::Runtime, "reshape.C1");
  expect_refused([&] { ops::reshape(x, dims({4})); }, ErrorFamily::Runtime, "reshape.C2");
}
TEST(Reshape, AsTakesTheOtherTensorsSizes) {
  expect(ops::reshape_as(ramp("f32[2,3]"), ramp("f32[6]"))).meta("f32[6]{1}+0@cpu");
}
TEST(Flatten, MergesARangeOfDims) {
  expect(ops::flatten(ramp("f32[2,3,4]"), 1)).meta("f32[2,12]{12,1}+0@cpu");
  expect(ops::flatten(ramp("f32[]"))).meta("f32[1]{1}+0@cpu");
}
TEST(Flatten, OfOneDimIsTheTensorItself) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::flatten(x, 1, -1)).is(x);
}
TEST(Flatten, RefusesAStartAfterTheEnd) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::flatten(x, 1, 0); }, ErrorFamily::Runtime, "flatten.C1");
}
TEST(Ravel, CopiesOnlyWhereItMust) {
  Tensor x = ramp("f32[2,3]"), y = ramp("f32[2,3]{1,2}");
  expect(ops::ravel(x)).shares(x);
  expect(ops::ravel(y)).fresh(y).values({0, 1, 2, 3, 4, 5});
}

}  // namespace
}  // namespace ersatz
