#include "kernels/shape/roll.h"

#include "kernels/shape/conjugate.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Roll, MovesRoundADim) {
  expect(ops::roll(ramp("f32[2,3]"), dims({1}), dims({1}))).meta("f32[2,3]").values({2, 0, 1, 5, 3, 4});
  expect(ops::roll(ramp("f32[2,3]"), dims({-1}), dims({-1}))).values({1, 2, 0, 4, 5, 3});
}
OP_TEST(Roll, MovesRoundSeveralDims) {
  expect(ops::roll(ramp("f32[2,3]"), dims({1, 5}), dims({0, 1}))).values({4, 5, 3, 1, 2, 0});
}
OP_TEST(Roll, MovesInRowMajorOrderWithoutDims) {
  expect(ops::roll(ramp("f32[2,3]{1,2}"), dims({1}))).meta("f32[2,3]{3,1}").values({5, 0, 1, 2, 3, 4});
}
OP_TEST(Roll, KeepsChannelsLastAndNoOtherLayout) {
  expect(ops::roll(ramp("f32[2,3,2,2]{12,1,6,3}"), dims({1}), dims({0}))).meta("f32[2,3,2,2]{12,1,6,3}");
  expect(ops::roll(ramp("f32[2,3]{1,2}"), dims({1}), dims({0}))).meta("f32[2,3]{3,1}");
}
OP_TEST(Roll, Refuses) {
  const Tensor x = ramp("f32[2,3]"), number = ramp("f32[]");
  expect_refused([&] { ops::roll(x, {}); }, ErrorFamily::Runtime, "roll.C1");
  expect_refused([&] { ops::roll(x, dims({1, 2}), dims({0})); }, ErrorFamily::Runtime, "roll.C2");
  expect_refused([&] { ops::roll(number, dims({1}), dims({0})); }, ErrorFamily::Index, "roll.C3");
}
OP_TEST(Rot90, TurnsAPlane) {
  const Tensor x = ramp("f32[2,3]");
  expect(ops::rot90(x)).meta("f32[3,2]{1,3}").values({2, 5, 1, 4, 0, 3});
  expect(ops::rot90(x, 2)).meta("f32[2,3]{3,1}").values({5, 4, 3, 2, 1, 0});
  expect(ops::rot90(x, -1)).meta("f32[3,2]{1,3}").values({3, 0, 4, 1, 5, 2});
  expect(ops::rot90(ramp("f32[2,3]{1,2}"), 4)).meta("f32[2,3]{3,1}").values({0, 1, 2, 3, 4, 5});
}
OP_TEST(Rot90, ReadsAConjugate) {
  const Tensor x = ops::_conj(make_complex("c64[1,2]", {{1, 2}, {3, 4}}));
  expect(ops::rot90(x, 2)).meta("c64[1,2]").complex_values({{3, -4}, {1, -2}});
}
OP_TEST(Rot90, RefusesOneDimTwice) {
  const Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::rot90(x, 1, dims({1, -1})); }, ErrorFamily::Runtime, "rot90.C1");
}
OP_TEST(Fliplr, ReversesDimOne) {
  expect(ops::fliplr(ramp("f32[2,3]"))).values({2, 1, 0, 5, 4, 3});
  expect(ops::flipud(ramp("f32[2,3]"))).values({3, 4, 5, 0, 1, 2});
}

}  // namespace
}  // namespace ersatz
