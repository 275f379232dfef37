#include "kernels/loss/cross_entropy.h"

#include "tests/ops/op_calls.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

// OPS-36
OP_TEST(CrossEntropy, HasTheSizesOfEagerWithClassesWeightsAndSmoothing) {
  const Tensor x = ramp("f32[3,5]"), t = i64({3}, {1, 0, 4}), w = f32({5}, {1, 2, 3, 4, 5});
  for (const Tensor& weight : {Tensor(), w}) {
    expect(ops::cross_entropy_loss(x, t, weight, 1, -100, 0.5)).meta("f32[]");
    expect(ops::cross_entropy_loss(x, t, weight, 0, -100, 0.5)).meta("f32[3]");
  }
}
OP_TEST(CrossEntropy, IsTheLikelihoodOfTheSoftmax) {
  const Tensor x = f32({1, 2}, {0, 0});
  expect(ops::cross_entropy_loss(x, i64({1}, {1}))).meta("f32[]").values({0.6931471805599453});
  expect(ops::cross_entropy_loss(x, f32({1, 2}, {0.25, 0.75}))).values({0.6931471805599453});
}
OP_TEST(CrossEntropy, SmoothingGivesEachClassAPart) {
  const Tensor x = f32({1, 2}, {0, 1.0986122886681098});  // probabilities 1/4 and 3/4
  // 0.75 * -log(3/4) + 0.25 * -log(1/4)
  expect(ops::cross_entropy_loss(x, i64({1}, {1}), Tensor(), 1, -100, 0.5)).values({0.5623351446188083});
}

}  // namespace
}  // namespace ersatz
