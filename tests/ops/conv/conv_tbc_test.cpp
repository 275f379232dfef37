#include "kernels/conv/conv_tbc.h"

#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

OP_TEST(ConvTbc, SumsOverTheKernel) {
  const Tensor x = f32({3, 1, 1}, {1, 2, 3}), w = f32({2, 1, 1}, {10, 1}), b = f32({1}, {100});
  expect(ops::conv_tbc(x, w, b)).meta("f32[2,1,1]").values({112, 123});
}
OP_TEST(ConvTbc, IsZeroOutside) {
  const Tensor x = f32({2, 1, 1}, {1, 2}), w = f32({2, 1, 2}, {10, 20, 1, 2}), b = f32({2}, {0, 100});
  expect(ops::conv_tbc(x, w, b, 1)).meta("f32[3,1,2]").values({1, 102, 12, 124, 20, 140});
}
// PyTorch 2.15.
OP_TEST(ConvTbcBackward, GivesTheGradientsOfInputWeightAndBias) {
  const Tensor g = f32({4, 1, 1}, {0, 1, 2, 3}), x = f32({3, 1, 1}, {1, 2, 3}), w = f32({2, 1, 1}, {2, 5}),
               b = f32({1}, {0});
  const auto [of_input, of_weight, of_bias] = ops::conv_tbc_backward(g, x, w, b, 1);
  expect(of_input).meta("f32[3,1,1]").values({2, 9, 16});
  expect(of_weight).meta("f32[2,1,1]").values({14, 8});
  expect(of_bias).meta("f32[1]").values({6});
}
// The gradient's rows are viewed by the sizes of input and weight.
OP_TEST(ConvTbcBackward, RefusesAGradientOfFewerDims) {
  expect_error(
      [] {
        ops::conv_tbc_backward(f32({3}), f32({5, 2, 3}), f32({2, 3, 4}), f32({4}), -1);
      },
      "view.C2", "[4, 4]");
}

}  // namespace
}  // namespace ersatz
