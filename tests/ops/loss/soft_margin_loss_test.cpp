#include "kernels/loss/soft_margin_loss.h"

#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

TEST(SoftMarginLossBackward, IsTheSlopeOfTheLoss) {
  const Tensor x = f64({3}, {0.5, -1, 2}), t = f64({3}, {1, -1, 1});
  for (const int64_t reduction : {0, 1, 2}) {
    const Tensor g = reduction ? f64({}, {2}) : f64({3}, {1, 2, 3});
    expect_slopes(ops::soft_margin_loss_backward(g, x, t, reduction), x, g,
                  [&] { return ops::soft_margin_loss(x, t, reduction); });
  }
}
}  // namespace
}  // namespace ersatz
