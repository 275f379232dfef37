#include "kernels/shape/flip.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Flip, ReversesOneDim) {
  expect(ops::flip(i64({2, 3}, {1, 2, 3, 4, 5, 6}), dims({1}))).meta("i64[2,3]{3,1}+0@cpu").values({3, 2, 1, 6, 5, 4});
}
OP_TEST(Flip, ReversesSeveralDims) {
  expect(ops::flip(i64({2, 3}, {1, 2, 3, 4, 5, 6}), dims({0, -1}))).values({6, 5, 4, 3, 2, 1});
}
OP_TEST(Flip, KeepsADenseLayoutAndReadsThroughGaps) {
  expect(ops::flip(ramp("f32[2,3]{1,2}"), dims({0}))).meta("f32[2,3]{1,2}+0@cpu");
  expect(ops::flip(ramp("f32[2,2]{8,3}+1"), dims({1}))).meta("f32[2,2]{2,1}+0@cpu");
}
OP_TEST(Flip, RefusesADimTwice) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::flip(x, dims({1, -1})); }, ErrorFamily::Runtime, "flip.C1");
}
OP_TEST(Flip, TakesSixtyFourDims) { expect(ops::flip(f32(std::vector<int64_t>(64, 1), {7}), dims({63}))).values({7}); }
OP_TEST(Flip, RefusesMoreThanSixtyFourDims) {
  Tensor x = f32(std::vector<int64_t>(65, 1), {7});
  expect_refused([&] { ops::flip(x, dims({})); }, ErrorFamily::Runtime, "flip.C2");
}
OP_TEST(Flip, RefusesADimOutOfRange) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::flip(x, dims({2})); }, ErrorFamily::Index, "flip.dim");
}

}  // namespace
}  // namespace ersatz
