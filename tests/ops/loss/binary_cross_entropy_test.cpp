#include "kernels/loss/binary_cross_entropy.h"

#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

constexpr double kInfinite = 100;  // what a logarithm of 0 counts

OP_TEST(BinaryCrossEntropy, IsMinusTheLogOfTheProbability) {
  const Tensor p = f32({2}, {0.25, 0.25}), t = f32({2}, {1, 0});
  expect(ops::binary_cross_entropy(p, t, Tensor(), 0)).meta("f32[2]").values({1.3862943611198906, 0.2876820724517809});
  expect(ops::binary_cross_entropy(p, t)).meta("f32[]").values({0.8369882167858358});
  expect(ops::binary_cross_entropy(p, t, f32({2}, {2, 0}), 2)).meta("f32[]").values({2.772588722239781});
}
OP_TEST(BinaryCrossEntropy, ALogarithmIsAtLeastMinusHundred) {
  expect(ops::binary_cross_entropy(f32({2}, {0, 1}), f32({2}, {1, 0}), Tensor(), 0)).values({kInfinite, kInfinite});
}
OP_TEST(BinaryCrossEntropy, DimsOfSizeOneAreNoObstacle) {
  const Tensor p = f32({2, 1}, {0.25, 0.5}), t = f32({2}, {1, 0});
  expect(ops::binary_cross_entropy(p, t, Tensor(), 0))
      .meta("f32[2,1]")
      .values({1.3862943611198906, 0.6931471805599453});
}
TEST(BinaryCrossEntropy, RefusesWhatIsNoProbability) {
  const Tensor p = f32({2}, {0.25, 1.5}), t = f32({2}, {1, 0});
  expect_refused([&] { ops::binary_cross_entropy(p, t); }, ErrorFamily::Runtime, "binary_cross_entropy.value");
  expect_refused([&] { ops::binary_cross_entropy(t, p); }, ErrorFamily::Runtime, "binary_cross_entropy.value");
}
TEST(BinaryCrossEntropyBackward, IsTheSlopeOfTheLoss) {
  const Tensor p = f64({3}, {0.25, 0.5, 0.9}), t = f64({3}, {1, 0.5, 0}), w = f64({3}, {1, 2, 3});
  for (const int64_t reduction : {0, 1, 2}) {
    const Tensor g = reduction ? f64({}, {2}) : f64({3}, {1, 2, 3});
    expect_slopes(ops::binary_cross_entropy_backward(g, p, t, w, reduction), p, g,
                  [&] { return ops::binary_cross_entropy(p, t, w, reduction); });
  }
}

}  // namespace
}  // namespace ersatz
