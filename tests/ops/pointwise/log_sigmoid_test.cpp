#include "kernels/pointwise/log_sigmoid.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(LogSigmoidForward, KeepsWhatItsGradientNeeds) {
  const auto [output, buffer] = ops::log_sigmoid_forward(f32({2}, {0, -1}));
  expect(output).meta("f32[2]").values({-0.6931471805599453, -1.3132616875182228});
  expect(buffer).meta("f32[2]").values({1, 0.36787944117144233});
}
OP_TEST(LogSigmoidBackward, IsTheSlope) {
  const Tensor x = f64({2, 2}, {0.5, -1, 2, -0.25}), g = f64({2, 2}, {1, 2, -1, 0.5});
  expect(ops::log_sigmoid_backward(g, x, ops::log_sigmoid_forward(x).buffer))
      .meta("f64[2,2]")
      .values({0.37754066879814546, 1.4621171572600098, -0.11920292202211755, 0.2810882504428991});
}
// PyTorch 2.15.
OP_TEST(LogSigmoidBackward, IsLaidOutLikeTheGradientWhereFreshAndLikeSelfWhereResized) {
  const Tensor g = make("f32[2,3]"), x = make("f32[2,3]{1,2}"), buffer = make("f32[2,3]"), out = make("f32[0]");
  expect(ops::log_sigmoid_backward(g, x, buffer)).meta("f32[2,3]");
  call_op<"aten.log_sigmoid_backward.grad_input">(g, x, buffer, out);
  expect(out).meta("f32[2,3]{1,2}");
}

}  // namespace
}  // namespace ersatz
