#include "kernels/pointwise/log_sigmoid.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

// PyTorch 2.15.
OP_TEST(LogSigmoidBackward, FollowsGradientIfFreshAndSelfIfResized) {
  const Tensor g = make("f32[2,3]"), x = make("f32[2,3]{1,2}"), buffer = make("f32[2,3]"), out = make("f32[0]");
  expect(ops::log_sigmoid_backward(g, x, buffer)).meta("f32[2,3]");
  call_op<"aten.log_sigmoid_backward.grad_input">(g, x, buffer, out);
  expect(out).meta("f32[2,3]{1,2}");
}

}  // namespace
}  // namespace ersatz
