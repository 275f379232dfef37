#include "kernels/shape/alias.h"

#include "tests/ops/op_expect.h"

namespace ersatz {
namespace {
using namespace ersatz::test;

TEST(Alias, IsAnotherHandleOnTheSameGeometry) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::alias(x)).meta("f32[2,3]{1,2}+0@cpu").shares(x);
}
TEST(Alias, DetachSharesMemory) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::detach(x)).shares(x);
  expect(ops::detach_(x)).is(x);
}
TEST(Alias, LiftFreshIsTheTensorItself) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::lift_fresh(x)).is(x);
}

}  // namespace
}  // namespace ersatz
