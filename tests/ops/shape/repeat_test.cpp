#include "kernels/shape/repeat.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Repeat, PutsCopiesSideBySide) {
  expect(ops::repeat(i64({2, 2}, {1, 2, 3, 4}), dims({1, 2}))).meta("i64[2,4]").values({1, 2, 1, 2, 3, 4, 3, 4});
}
OP_TEST(Repeat, AddsDimsInFront) {
  expect(ops::repeat(i64({2}, {1, 2}), dims({2, 1, 2}))).meta("i64[2,1,4]").values({1, 2, 1, 2, 1, 2, 1, 2});
}
OP_TEST(Repeat, IsRowMajorWhateverTheInputIs) {
  expect(ops::repeat(ramp("f32[2,2]{1,2}"), dims({1, 1}))).meta("f32[2,2]{2,1}").values({0, 1, 2, 3});
  expect(ops::repeat(ramp("f32[2,2]{0,1}"), dims({2, 1}))).meta("f32[4,2]{2,1}");
}
OP_TEST(Repeat, MayLeaveNothing) { expect(ops::repeat(ramp("f32[2]"), dims({0}))).meta("f32[0]"); }
OP_TEST(Repeat, TilesTheLastDims) {
  expect(ops::tile(ramp("f32[2,2]"), dims({2}))).meta("f32[2,4]").values({0, 1, 0, 1, 2, 3, 2, 3});
}
OP_TEST(Repeat, RefusesTooFewAndNegativeRepeats) {
  const Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::repeat(x, dims({2})); }, ErrorFamily::Runtime, "repeat.C1");
  expect_refused([&] { ops::repeat(x, dims({1, -1})); }, ErrorFamily::Runtime, "repeat.C2");
}

}  // namespace
}  // namespace ersatz
