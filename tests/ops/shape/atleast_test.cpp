#include "kernels/shape/atleast.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Atleast, AddsDimsOfSizeOne) {
  expect(ops::atleast_1d(ramp("f32[]"))).meta("f32[1]");
  expect(ops::atleast_2d(ramp("f32[3]"))).meta("f32[1,3]");
  expect(ops::atleast_3d(ramp("f32[3]"))).meta("f32[1,3,1]");
  expect(ops::atleast_3d(ramp("f32[2,3]{1,2}"))).meta("f32[2,3,1]{1,2,1}");
}
OP_TEST(Atleast, LeavesAWideTensor) {
  const Tensor x = ramp("f32[2,3]{1,2}");
  EXPECT_TRUE(ops::atleast_2d(x).is(x));
}
OP_TEST(Unflatten, MakesSeveralDimsOfOne) {
  const Tensor x = ramp("f32[2,12]{1,2}");
  expect(ops::unflatten(x, 1, dims({3, -1}))).meta("f32[2,3,4]{1,8,2}").view_of(x);
}
OP_TEST(Unflatten, Refuses) {
  const Tensor x = ramp("f32[12]");
  expect_refused([&] { ops::unflatten(x, 0, dims({5, 2})); }, ErrorFamily::Runtime, "unflatten.C2");
  expect_refused([&] { ops::unflatten(x, 0, {}); }, ErrorFamily::Runtime, "unflatten.C3");
}

}  // namespace
}  // namespace ersatz
