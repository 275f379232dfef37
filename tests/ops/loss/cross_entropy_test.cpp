#include "kernels/loss/cross_entropy.h"

#include "tests/ops/op_calls.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

// OPS-36
OP_TEST(CrossEntropy, HasEagersSizesWithWeightsAndSmoothing) {
  const Tensor x = ramp("f32[3,5]"), t = i64({3}, {1, 0, 4}), w = f32({5}, {1, 2, 3, 4, 5});
  for (const Tensor& weight : {Tensor(), w}) {
    expect(ops::cross_entropy_loss(x, t, weight, 1, -100, 0.5)).meta("f32[]");
    expect(ops::cross_entropy_loss(x, t, weight, 0, -100, 0.5)).meta("f32[3]");
  }
}
}  // namespace
}  // namespace ersatz
