#include "kernels/loss/nll_loss.h"

#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

Tensor scores() { return f32({2, 3}, {-1, -2, -3, -4, -5, -6}); }

TEST(NllLossBackward, IsTheSlopeOfTheLoss) {
  const Tensor x = f64({2, 3}, {-1, -2, -3, -4, -5, -6}), w = f64({3}, {1, 5, 3}), t = i64({2}, {1, 2});
  for (int64_t reduction : {0, 1, 2}) {
    const auto run = [&] { return ops::nll_loss_forward(x, t, w, reduction, -100); };
    const auto [y, total] = run();
    const Tensor g = ops::add(ops::mul(y, Scalar(0.0)), Scalar(2.0));
    expect_slopes(ops::nll_loss_backward(g, x, t, w, reduction, -100, total), x, g, [&] { return run().output; });
  }
}
/// The gradient for the summed losses of two images with one row of two pixels, written to `out` if given.
Tensor gradient2d(const Tensor& scores, const Tensor& out = {}) {
  const Tensor grad = f32({}, {2}), target = i64({2, 1, 2}, {0, 1, 1, 0}), total = f32({}, {1});
  if (!out) return ops::nll_loss2d_backward(grad, scores, target, Tensor(), 2, -100, total);
  return call_op<"aten.nll_loss2d_backward.grad_input">(grad, scores, target, Tensor(), int64_t(2), SymInt(-100), total,
                                                        out);
}
OP_TEST(NllLoss2dBackward, WrittenIsRowMajorWhateverTheScores) {
  const Tensor scores = ramp("f32[2,2,1,2]{4,1,4,2}"), out = ramp("f32[2,2,1,2]"), resized = ramp("f32[0]");
  expect(gradient2d(scores, out)).is(out).values({-2, 0, 0, -2, 0, -2, -2, 0});
  expect(gradient2d(scores, resized)).is(resized).meta("f32[2,2,1,2]");
  expect_refused([&] { gradient2d(scores, ramp("f32[2,2,1,2]{4,1,4,2}")); }, ErrorFamily::Runtime,
                 "nll_loss2d_backward.layout");
}
OP_TEST(NllLossBackward, MayBeWrittenToElementsThatShareMemory) {
  const Tensor out = make("f32[2,3]{0,1}", {0, 0, 0, 0, 0, 0});
  expect(call_op<"aten.nll_loss_backward.grad_input">(f32({}, {2}), scores(), i64({2}, {0, 2}), Tensor(), int64_t(2),
                                                      SymInt(-100), f32({}, {1}), out))
      .is(out)
      .meta("f32[2,3]{0,1}");
}

}  // namespace
}  // namespace ersatz
