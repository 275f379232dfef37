#include "kernels/conv/convolution_double_backward.h"

#include "fake/mode/fake_mode.h"
#include "runtime/tensor/meta_text.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

Tensor from(const char* meta, double first) { return call_op<"aten.add.Scalar">(ramp(meta), Scalar(first), Scalar(1)); }

/// A convolution with two groups of one channel each, and stride 2. The expected values are PyTorch 2.15's.
auto of_groups(const Tensor& of_input, const Tensor& of_weight, const Tensor& of_bias) {
  const std::vector<SymInt> two{2}, one{1}, none{0};
  return ops::_convolution_double_backward(of_input, of_weight, of_bias, from("f64[1,2,3]", -2), from("f64[2,1,2]", 1),
                                           ramp("f64[1,2,5]"), two, one, one, false, none, 2,
                                           std::array<bool, 3>{true, true, true});
}

OP_TEST(ConvolutionDoubleBackward, HasNothingWhereNothingComesIn) {
  const auto [of_weight, input, no_weight] = of_groups({}, from("f64[2,1,2]", -1), {});
  expect(of_weight).values({0, -1, -3, 10, 20, 26});
  expect(input).values({0, 1, 0, 0, 0, 2, 2, 4, 3, 6});
  EXPECT_FALSE(no_weight);
  const auto [of_input, no_input, weight] = of_groups(from("f64[1,2,5]", 1), {}, {});
  expect(of_input).values({2, 8, 14, 24, 53, 67});
  EXPECT_FALSE(no_input);
  expect(weight).values({-2, -5, 41, 52});
  const auto [none, no_input_either, no_weight_either] = of_groups({}, {}, {});
  EXPECT_FALSE(none);
}
// PyTorch 2.15's fake results: channels-last gradients give no channels-last results.
TEST(ConvolutionDoubleBackwardOnCuda, TakesWeightsRowMajor) {
  const FakeMode mode;
  const auto on_cuda = [&](const char* meta) { return mode.make(parse_meta(meta)); };
  const std::vector<SymInt> stride{2, 1}, padding{0, 1}, dilation{1, 2}, none{0, 0};
  const auto [grad, input, weight] = ops::_convolution_double_backward(
      on_cuda("f16[1,2,4,4]{32,1,8,2}@cuda:0"), on_cuda("f16[4,1,3,3]@cuda:0"), on_cuda("f16[4]@cuda:0"),
      on_cuda("f16[1,4,1,2]{8,1,8,4}@cuda:0"), on_cuda("f16[4,1,3,3]{3,3,1,12}@cuda:0"), on_cuda("f16[1,2,4,4]@cuda:0"),
      stride, padding, dilation, false, none, 2, std::array<bool, 3>{true, true, true});
  EXPECT_EQ(to_string(grad.meta()), "f16[1,4,1,2]{8,1,8,4}+0@cuda:0");
  EXPECT_EQ(to_string(input.meta()), "f16[1,2,4,4]{32,16,4,1}+0@cuda:0");
  EXPECT_EQ(to_string(weight.meta()), "f16[4,1,3,3]{12,48,3,1}+0@cuda:0");
}

}  // namespace
}  // namespace ersatz
