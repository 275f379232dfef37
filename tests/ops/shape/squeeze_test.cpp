#include "kernels/shape/squeeze.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Squeeze, TakesOutEveryDimOfSizeOne) {
  Tensor x = ramp("f32[1,3,1]");
  expect(ops::squeeze(x)).meta("f32[3]{1}+0@cpu").view_of(x);
}
OP_TEST(Squeeze, TakesOutOneDimIfItsSizeIsOne) {
  expect(ops::squeeze(ramp("f32[1,3,1]"), -1)).meta("f32[1,3]{3,1}+0@cpu");
  expect(ops::squeeze(ramp("f32[1,3,1]"), 1)).meta("f32[1,3,1]{3,1,1}+0@cpu");
}
OP_TEST(Squeeze, TakesOutThoseDimsThatAreListed) {
  expect(ops::squeeze(ramp("f32[1,3,1]"), dims({0, 1}))).meta("f32[3,1]{1,1}+0@cpu");
}
OP_TEST(Squeeze, RefusesADimTwice) {
  Tensor x = ramp("f32[1,3]");
  expect_refused([&] { ops::squeeze(x, dims({0, -2})); }, ErrorFamily::Runtime, "squeeze.C1");
}
OP_TEST(Squeeze, RefusesADimOutOfRange) {
  Tensor x = ramp("f32[1,3]");
  expect_refused([&] { ops::squeeze(x, 2); }, ErrorFamily::Index, "squeeze.dim");
}
OP_TEST(Squeeze, InPlaceChangesTheTensorItself) {
  Tensor x = ramp("f32[1,3,1]");
  expect(ops::squeeze_(x, 0)).is(x).meta("f32[3,1]{1,1}+0@cpu");
  expect(ops::unsqueeze_(x, 0)).is(x).meta("f32[1,3,1]{3,1,1}+0@cpu");
  expect(ops::squeeze_(x)).is(x).meta("f32[3]{1}+0@cpu");
}
OP_TEST(Unsqueeze, PutsADimOfSizeOneWithTheStrideOfAContiguousTensor) {
  expect(ops::unsqueeze(ramp("f32[2,3]"), 0)).meta("f32[1,2,3]{6,3,1}+0@cpu");
  expect(ops::unsqueeze(ramp("f32[2,3]"), 1)).meta("f32[2,1,3]{3,3,1}+0@cpu");
  expect(ops::unsqueeze(ramp("f32[2,3]{1,2}"), -1)).meta("f32[2,3,1]{1,2,1}+0@cpu");
}
OP_TEST(Unsqueeze, RefusesADimOutOfRange) {
  Tensor x = ramp("f32[2]");
  expect_refused([&] { ops::unsqueeze(x, 2); }, ErrorFamily::Index, "unsqueeze.dim");
}

}  // namespace
}  // namespace ersatz
