#include "kernels/loss/margin_loss.h"

#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

Tensor rows() { return f32({2, 3}, {0.1, 0.9, -1, 1, 2, 0.5}); }

OP_TEST(MultiMarginLoss, IsHowFarOtherClassesComeClose) {
  const Tensor t = i64({2}, {0, 2});
  expect(ops::multi_margin_loss(rows(), t, 2, 0.5, f32({3}, {1, 2, 3}), 0)).meta("f32[2]").values({0.5633333333, 5});
  expect(ops::multi_margin_loss(rows(), t, 1, 1, Tensor(), 2)).meta("f32[]").values({1.9333333333});
}
OP_TEST(MultiMarginLoss, ARowWithoutABatch) {
  expect(ops::multi_margin_loss(f32({3}, {1, 2, 0.5}), i64({}, {2}), 1, 1, Tensor(), 0))
      .meta("f32[]")
      .values({4.0 / 3});
}
OP_TEST(MultilabelMarginLoss, AListEndsAtItsFirstMinusOne) {
  const auto [loss, is_target] = ops::multilabel_margin_loss_forward(rows(), i64({2, 3}, {0, 2, -1, 1, -1, 0}), 0);
  expect(loss).meta("f32[2]").values({1.5666666667, 0});
  expect(is_target).meta("f32[2,3]").values({1, 0, 1, 0, 1, 0});
}
TEST(MultiMarginLoss, RefusesWhatIsNoClass) {
  expect_refused(
      [] {
        ops::multi_margin_loss(rows(), i64({2}, {0, 3}));
      },
      ErrorFamily::Runtime, "multi_margin_loss.value");
  expect_refused(
      [] {
        ops::multilabel_margin_loss(rows(), i64({2, 3}, {0, 3, 0, 0, 0, 0}));
      },
      ErrorFamily::Runtime, "multilabel_margin_loss_forward.value");
}
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
OP_TEST(MultilabelMarginLossBackward, OtherClassesAreThoseThatTheMaskLeavesOut) {
  const Tensor x = f32({1, 3}, {0.1, 0.5, 0.3}), t = i64({1, 3}, {1, -1, 0}), g = f32({}, {3});
  expect(ops::multilabel_margin_loss_backward(g, x, t, 1, f32({1, 3}, {0, 1, 0}))).values({1, -2, 1});
  expect(ops::multilabel_margin_loss_backward(g, x, t, 1, f32({1, 3}, {1, 1, 0}))).values({0, -1, 1});
  expect(ops::multilabel_margin_loss_backward(g, x, t, 1, f32({1, 3}, {1, 1, 1}))).values({0, 0, 0});
}
TEST(MultilabelMarginLoss, WritesARowMajorMask) {
  const Tensor x = rows(), t = i64({2, 3}, {0, 2, -1, 1, -1, 0}), loss = f32({}, {0});
  const Tensor columns = call_op<"aten.t.default">(f32({3, 2}, {0, 0, 0, 0, 0, 0}));
  expect_refused([&] { call_op_all<"aten.multilabel_margin_loss_forward.output">(x, t, int64_t(1), loss, columns); },
                 ErrorFamily::Runtime, "multilabel_margin_loss_forward.layout");
}

}  // namespace
}  // namespace ersatz
