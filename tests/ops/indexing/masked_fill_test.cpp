#include "kernels/indexing/masked_fill.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(MaskedFill, WritesWhereTheMaskIsTrue) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::masked_fill(x, make("bool[3]", {1, 0, 0}), 9)).meta("f32[2,3]").not_view_of(x).values({9, 1, 2, 9, 4, 5});
}
OP_TEST(MaskedFill, BroadcastsTheInputToo) {
  expect(ops::masked_fill(ramp("f32[2]"), make("bool[2,1]", {1, 0}), -1)).meta("f32[2,2]").values({-1, -1, 0, 1});
}
OP_TEST(MaskedFill, InPlaceKeepsTheLayout) {
  Tensor x = ramp("f32[2,2]{1,3}");
  expect(ops::masked_fill_(x, make("bool[2,2]", {0, 1, 1, 0}), 7)).is(x).meta("f32[2,2]{1,3}").values({0, 7, 7, 3});
}
OP_TEST(MaskedFill, RefusesOtherMasksAndNumbers) {
  Tensor x = ramp("f32[2]"), floats = ramp("f32[2]"), three = make("bool[3]"), bytes = ramp("u8[2]"),
         mask = make("bool[2]"), bigger = make("bool[2,2]");
  expect_refused([&] { ops::masked_fill(x, floats, 0); }, ErrorFamily::Runtime, "masked_fill.C1");
  expect_refused([&] { ops::masked_fill(x, three, 0); }, ErrorFamily::Runtime, "masked_fill.C2");
  expect_refused([&] { ops::masked_fill_(x, bigger, 0); }, ErrorFamily::Runtime, "masked_fill_.C2");
  expect_refused([&] { ops::masked_fill(bytes, mask, 300); }, ErrorFamily::Runtime, "masked_fill.C3");
}

OP_TEST(MaskedFill, TakesTheNumberOfATensor) {
  expect(ops::masked_fill(ramp("f32[2]"), boolean({2}, {0, 1}), f64({}, {9}))).meta("f32[2]").values({0, 9});
  const Tensor x = ramp("i64[2]");
  expect(ops::masked_fill_(x, boolean({2}, {1, 0}), f32({}, {2.5}))).values({2, 1});
}
OP_TEST(MaskedFill, RefusesATensorWithDims) {
  const Tensor x = ramp("f32[2]");
  expect_refused([&] { ops::masked_fill(x, boolean({2}, {0, 1}), x); }, ErrorFamily::Runtime, "masked_fill.C4");
}
TEST(MaskedFill, RefusesATensorWhoseNumberDoesNotFit) {
  expect_refused([] { ops::masked_fill(ramp("u8[1]"), boolean({1}, {1}), i64({}, {300})); }, ErrorFamily::Runtime,
                 "masked_fill.value");
}

}  // namespace
}  // namespace ersatz
