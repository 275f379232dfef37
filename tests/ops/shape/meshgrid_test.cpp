#include "kernels/shape/meshgrid.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(BroadcastTensors, StretchesWhatIsSmaller) {
  const Tensor list[] = {ramp("f32[2,1]"), ramp("f32[2,3]")};
  const std::vector<Tensor> wide = ops::broadcast_tensors(list);
  expect(wide[0]).meta("f32[2,3]{1,0}").view_of(list[0]);
  EXPECT_TRUE(wide[1].is(list[1]));
}
}  // namespace
}  // namespace ersatz
