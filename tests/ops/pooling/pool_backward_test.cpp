#include "kernels/pooling/pool_backward.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

// OPS-35
OP_TEST(PoolBackward, AdaptiveAverageGradientFollowsChannelsLastInput) {
  expect(run("aten._adaptive_avg_pool2d_backward.default", {ramp("f32[2,3,1,1]"), ramp("f32[2,3,4,4]{48,1,12,3}")}))
      .meta("f32[2,3,4,4]{48,1,12,3}");
}
OP_TEST(PoolBackward, AdaptiveVolumeAverageIsWrittenToAnArgument) {
  const Tensor grad = f32({1, 1, 1, 1}, {6}), self = ramp("f32[1,1,2,3]"), out = make("f32[0]");
  expect(run("aten.adaptive_avg_pool3d_backward.grad_input", {grad, self}, {{"grad_input", out}}))
      .is(out)
      .meta("f32[1,1,2,3]")
      .values({1, 1, 1, 1, 1, 1});
}
}  // namespace
}  // namespace ersatz
