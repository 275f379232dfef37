#include "kernels/creation/range.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Range, HoldsBothEnds) {
  expect(run("aten.range.default", {0, 3})).meta("f32[4]").values({0, 1, 2, 3});
  expect(run("aten.range.default", {0, 2.5})).meta("f32[3]").values({0, 1, 2});
}
OP_TEST(Range, StepsDownToo) { expect(run("aten.range.step", {5, 0, -2})).meta("f32[3]").values({5, 3, 1}); }
OP_TEST(Range, OfIntegersTruncatesStartAndStep) {
  expect(run("aten.range.step", {0.5, 3.5, 1}, {{"dtype", DType::I64}})).meta("i64[4]").values({0, 1, 2, 3});
}
OP_TEST(Range, KeepsTheShapeOfAnOutThatHasAsManyElements) {
  const Tensor out = make("f32[3,2]{1,3}");
  expect(run("aten.range.out", {0, 5, 1}, {{"out", out}})).is(out).meta("f32[3,2]{1,3}").values({0, 1, 2, 3, 4, 5});
}

}  // namespace
}  // namespace ersatz
