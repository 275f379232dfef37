#include "kernels/pointwise/prelu.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Prelu, HasAWeightForEachChannel) {
  expect(ops::prelu(f32({1, 2, 2}, {-1, 2, -3, -4}), f32({2}, {0.5, 2}))).meta("f32[1,2,2]").values({-0.5, 2, -6, -8});
}
OP_TEST(Prelu, OfAVectorHasOneWeight) { expect(ops::prelu(f32({2}, {-1, 2}), f32({1}, {3}))).values({-3, 2}); }
OP_TEST(Prelu, LiesAsItsInput) { expect(ops::prelu(ramp("f32[2,3]{1,2}"), f32({3}, {1, 2, 3}))).meta("f32[2,3]{1,2}"); }
OP_TEST(PreluBackward, HasTheGradientOfTheWeightForEachElement) {
  const Tensor x = f64({2, 2}, {0.5, -1, -2, 4}), w = f64({2}, {0.25, 3}), g = f64({2, 2}, {1, 2, -1, 0.5});
  const auto [of_self, of_weight] = ops::_prelu_kernel_backward(g, x, w);
  expect(of_self).meta("f64[2,2]").values({1, 6, -0.25, 0.5});
  expect(of_weight).meta("f64[2,2]").values({0, -2, 2, 0});
}

}  // namespace
}  // namespace ersatz
