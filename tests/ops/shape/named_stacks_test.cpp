#include "kernels/shape/named_stacks.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(NamedStacks, JoinVectorsEachInItsWay) {
  const Tensor pair[] = {i64({2}, {1, 2}), i64({2}, {3, 4})};
  expect(ops::concat(pair)).meta("i64[4]").values({1, 2, 3, 4});
  expect(ops::hstack(pair)).meta("i64[4]").values({1, 2, 3, 4});
  expect(ops::vstack(pair)).meta("i64[2,2]").values({1, 2, 3, 4});
  expect(ops::dstack(pair)).meta("i64[1,2,2]").values({1, 3, 2, 4});
  expect(ops::column_stack(pair)).meta("i64[2,2]").values({1, 3, 2, 4});
}
OP_TEST(NamedStacks, JoinMatricesAlongTheirDim) {
  const Tensor pair[] = {ramp("f32[2,3]"), ramp("f32[2,3]")};
  expect(ops::hstack(pair)).meta("f32[2,6]");
  expect(ops::vstack(pair)).meta("f32[4,3]");
  expect(ops::dstack(pair)).meta("f32[2,3,2]");
}
OP_TEST(NamedStacks, WriteToAGivenTensor) {
  const Tensor a = i64({2}, {1, 2}), out = f64({2, 2}, {0, 0, 0, 0});
  const Value list[] = {a, a};
  const Values written = call(op_named("aten.vstack.out"), {{Value::list(list)}}, {{{"out", out}}});
  EXPECT_TRUE(written[0].tensor().is(out));
  expect(out).values({1, 2, 1, 2});
}
OP_TEST(NamedStacks, RefuseAnEmptyList) {
  expect_refused([] { ops::hstack({}); }, ErrorFamily::Runtime, "hstack.C1");
  expect_refused([] { ops::column_stack({}); }, ErrorFamily::Runtime, "column_stack.C1");
}

}  // namespace
}  // namespace ersatz
