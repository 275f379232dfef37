#include "kernels/loss/pointwise_loss.h"

#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

OP_TEST(MseLossBackward, OfIntegersIsWrittenAsFloats) {
  const Tensor x = make("i64[2]", {1, 5}), y = f32({2}, {0, 3}), out = make("f32[0]");
  expect(run("aten.mse_loss_backward.grad_input", {f32({}, {1}), x, y, 2}, {{"grad_input", out}}))
      .meta("f32[2]")
      .values({2, 4});
  expect_refused(
      [&] {
        run("aten.mse_loss_backward.default", {f32({}, {1}), x, y, 2});
      },
      ErrorFamily::Runtime, "mse_loss_backward.C4");
  expect_refused(
      [&] {
        run("aten.mse_loss_backward.grad_input", {f32({}, {1}), x, y, 2}, {{"grad_input", x}});
      },
      ErrorFamily::Runtime, "mse_loss_backward.result_type");
}

TEST(PointwiseLossBackward, IsTheSlopeOfTheLoss) {
  const Tensor x = f64({3}, {0.25, 3, -2}), y = f64({3}, {0, 1, 1});
  for (int64_t reduction : {0, 1, 2}) {
    const Tensor g = reduction == 0 ? f64({3}, {1, 2, 3}) : f64({}, {2});
    expect_slopes(ops::mse_loss_backward(g, x, y, reduction), x, g, [&] { return ops::mse_loss(x, y, reduction); });
    expect_slopes(ops::huber_loss_backward(g, x, y, reduction, 1.5), x, g,
                  [&] { return ops::huber_loss(x, y, reduction, 1.5); });
    expect_slopes(ops::smooth_l1_loss_backward(g, x, y, reduction, 1.5), x, g,
                  [&] { return ops::smooth_l1_loss(x, y, reduction, 1.5); });
  }
}
}  // namespace
}  // namespace ersatz
