#include "kernels/shape/permute.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Permute, ReordersDims) {
  Tensor x = ramp("f32[2,3,4]");
  expect(ops::permute(x, dims({2, 0, -2}))).meta("f32[4,2,3]{1,12,4}+0@cpu").view_of(x);
}
OP_TEST(Permute, RefusesAnotherNumberOfDims) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::permute(x, dims({0})); }, ErrorFamily::Runtime, "permute.C1");
}
OP_TEST(Permute, RefusesADimTwice) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::permute(x, dims({1, -1})); }, ErrorFamily::Runtime, "permute.C2");
}
OP_TEST(Permute, RefusesADimOutOfRange) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::permute(x, dims({0, 2})); }, ErrorFamily::Index, "permute.dim");
}
OP_TEST(Permute, MovedimFillsTheOtherPlacesInOrder) {
  expect(ops::movedim(ramp("f32[2,3,4]"), dims({0}), dims({-1}))).meta("f32[3,4,2]{4,1,12}+0@cpu");
}
OP_TEST(Permute, MovedimRefusesUnequalLengthsAndDimsTwice) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::movedim(x, dims({0}), dims({0, 1})); }, ErrorFamily::Runtime, "movedim.C1");
  expect_refused([&] { ops::movedim(x, dims({0, 0}), dims({0, 1})); }, ErrorFamily::Runtime, "movedim.C2");
}

}  // namespace
}  // namespace ersatz
