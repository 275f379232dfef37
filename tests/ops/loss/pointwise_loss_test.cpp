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

OP_TEST(PointwiseLoss, OfEachElementItsMeanAndItsSum) {
  const Tensor x = f32({2}, {1, 4}), y = f32({2}, {3, 5});
  expect(ops::mse_loss(x, y, 0)).meta("f32[2]").values({4, 1});
  expect(ops::mse_loss(x, y)).meta("f32[]").values({2.5});
  expect(ops::mse_loss(x, y, 2)).meta("f32[]").values({5});
}
OP_TEST(PointwiseLoss, IsSquareNearAndLinearFar) {
  const Tensor x = f32({2}, {1, 4}), y = f32({2}, {0, 0});
  expect(ops::huber_loss(x, y, 0, 2)).values({0.5, 6});
  expect(ops::smooth_l1_loss(x, y, 0, 2)).values({0.25, 3});
  expect(ops::smooth_l1_loss(x, y, 0, 0)).values({1, 4});
}
OP_TEST(PointwiseLoss, HuberHasTheDtypeOfSelf) {
  expect(ops::huber_loss(f32({1}, {1}), f64({1}, {0}))).meta("f32[]").values({0.5});
}
OP_TEST(PointwiseLoss, AGradientIsRowMajor) {
  const Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::mse_loss_backward(f32({}, {1}), x, x, 1)).meta("f32[2,3]{3,1}");
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
// PyTorch 2.15.
OP_TEST(SmoothL1LossBackward, IsLaidOutByTheOperandsWhereItIsLargerThanSelf) {
  const Tensor grad = make("f32[]", {1}), self = make("f32[5,4,3]{12,1,4}");
  expect(ops::smooth_l1_loss_backward(grad, self, make("f32[2,5,4,3]"), 1, 1)).meta("f32[2,5,4,3]{60,12,1,4}");
  expect(ops::smooth_l1_loss_backward(grad, self, make("f32[5,4,3]"), 1, 1)).meta("f32[5,4,3]");
}
// PyTorch 2.15 looks at delta in the loss alone.
OP_TEST(HuberLossBackward, OfANegativeDeltaIsItsOwn) {
  const Tensor grad = make("f32[]", {1}), self = f32({2}, {0.25, 5}), target = f32({2}, {0, 0});
  expect(ops::huber_loss_backward(grad, self, target, 2, -1)).values({1, -1});
}

}  // namespace
}  // namespace ersatz
