#include "kernels/loss/soft_margin_loss.h"

#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

OP_TEST(SoftMarginLoss, IsTheLogisticLossOfSigns) {
  const Tensor x = f32({2}, {0, 2}), t = f32({2}, {1, -1});
  expect(ops::soft_margin_loss(x, t, 0)).meta("f32[2]").values({0.6931471805599453, 2.1269280110429727});
  expect(ops::soft_margin_loss(x, t)).meta("f32[]").values({1.410037595801459});
}
TEST(SoftMarginLossBackward, IsTheSlopeOfTheLoss) {
  const Tensor x = f64({3}, {0.5, -1, 2}), t = f64({3}, {1, -1, 1});
  for (const int64_t reduction : {0, 1, 2}) {
    const Tensor g = reduction ? f64({}, {2}) : f64({3}, {1, 2, 3});
    expect_slopes(ops::soft_margin_loss_backward(g, x, t, reduction), x, g,
                  [&] { return ops::soft_margin_loss(x, t, reduction); });
  }
}
OP_TEST(BinaryCrossEntropyWithLogits, WeighsPositiveTargets) {
  const Tensor x = f32({2}, {0, 0}), t = f32({2}, {1, 0});
  expect(ops::binary_cross_entropy_with_logits(x, t, Tensor(), Tensor(), 0))
      .values({0.6931471805599453, 0.6931471805599453});
  expect(ops::binary_cross_entropy_with_logits(x, t, Tensor(), f32({2}, {3, 3}), 0))
      .values({2.0794415416798357, 0.6931471805599453});
}

}  // namespace
}  // namespace ersatz
