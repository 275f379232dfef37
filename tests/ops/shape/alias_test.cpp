#include "kernels/shape/alias.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Alias, IsAnotherHandleOnTheSameGeometry) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::alias(x)).meta("f32[2,3]{1,2}+0@cpu").view_of(x);
}
OP_TEST(Alias, DetachSharesMemory) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::detach(x)).view_of(x);
  expect(ops::detach_(x)).is(x);
}
OP_TEST(Alias, LiftFreshIsTheTensorItself) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::lift_fresh(x)).is(x);
}
OP_TEST(Alias, LiftIsTheTensorItselfAndWritesOut) {
  Tensor x = ramp("f32[2,2]"), out = make("f32[0]");
  expect(ops::lift(x)).is(x);
  expect(run("aten.lift.out", {x}, {{"out", out}})).is(out).meta("f32[2,2]").values({0, 1, 2, 3});
}
OP_TEST(Alias, DataSharesMemory) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::data(x)).meta("f32[2,3]{1,2}+0@cpu").view_of(x);
}

}  // namespace
}  // namespace ersatz
