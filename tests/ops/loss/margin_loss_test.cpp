#include "kernels/loss/margin_loss.h"

#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

TEST(MultiMarginLossBackward, IsTheSlopeOfTheLoss) {
  const Tensor x = f64({2, 3}, {0.1, 0.9, -1, 1, 2, 0.5}), w = f64({3}, {1, 2, 3}), t = i64({2}, {0, 2});
  for (const int64_t p : {1, 2}) {
    for (const int64_t reduction : {0, 1, 2}) {
      const Tensor g = reduction ? f64({}, {2}) : f64({2}, {1, 2});
      expect_slopes(ops::multi_margin_loss_backward(g, x, t, p, 0.75, w, reduction), x, g,
                    [&] { return ops::multi_margin_loss(x, t, p, 0.75, w, reduction); });
    }
  }
}
TEST(MultilabelMarginLossBackward, IsTheSlopeOfTheLoss) {
  const Tensor x = f64({2, 3}, {0.1, 0.9, -1, 1, 1.2, 0.5}), t = i64({2, 3}, {0, 2, -1, 1, -1, 0});
  for (const int64_t reduction : {0, 1, 2}) {
    const Tensor g = reduction ? f64({}, {2}) : f64({2}, {1, 2});
    const Tensor is_target = ops::multilabel_margin_loss_forward(x, t, reduction).is_target;
    expect_slopes(ops::multilabel_margin_loss_backward(g, x, t, reduction, is_target), x, g,
                  [&] { return ops::multilabel_margin_loss_forward(x, t, reduction).output; });
  }
}
}  // namespace
}  // namespace ersatz
