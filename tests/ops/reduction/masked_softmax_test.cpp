#include "kernels/reduction/masked_softmax.h"

#include <cmath>

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

// Values of PyTorch 2.15.
OP_TEST(MaskedSoftmax, IsTheSoftmaxOfWhatTheMaskLeaves) {
  const Tensor x = f64({2, 3}, {1, 2, 3, 4, 5, 7}), mask = boolean({2, 3}, {0, 1, 0, 0, 0, 1});
  expect(ops::_masked_softmax(x, mask))
      .meta("f64[2,3]")
      .values({0.11920292202211755, 0, 0.8807970779778823, 0.26894142136999516, 0.7310585786300049, 0});
  expect(ops::_masked_softmax(x, mask, 0)).values({0.04742587317756679, 0, 1, 0.9525741268224334, 1, 0});
}
OP_TEST(MaskedSoftmax, TakesAMaskOfPairsAndOneOfKeys) {
  const Tensor zeros = f64({1, 1, 2, 2}, {0, 0, 0, 0});
  expect(ops::_masked_softmax(zeros, boolean({2, 2}, {0, 1, 0, 0}), std::nullopt, 0)).values({1, 0, 0.5, 0.5});
  expect(ops::_masked_softmax(zeros, boolean({1, 2}, {1, 0}), std::nullopt, 1)).values({0, 1, 0, 1});
}
OP_TEST(MaskedSoftmax, IsNaNOfARowWithoutElements) {
  expect(ops::_masked_softmax(f32({2}, {1, 2}), boolean({2}, {1, 1}))).values({NAN, NAN});
}
OP_TEST(MaskedSoftmax, KeepsTheStrides) {
  expect(ops::_masked_softmax(make("f32[2,3]{1,2}"), make("bool[2,3]"))).meta("f32[2,3]{1,2}");
}
OP_TEST(MaskedSoftmax, OfAnEmptyDimIsEmpty) {
  expect(ops::_masked_softmax(make("f32[2,0]"), make("bool[2,0]"))).meta("f32[2,0]");
}
OP_TEST(MaskedSoftmaxBackward, LeavesOutWhatIsMasked) {
  const Tensor grad = f64({2, 3}, {1, 2, 3, 4, 5, 6}), output = f64({2, 3}, {0.25, 0.5, 0.25, 0.5, 0.25, 0.25});
  const Tensor mask = boolean({2, 3}, {0, 1, 0, 0, 0, 1});
  expect(ops::_masked_softmax_backward(grad, output, mask)).meta("f64[2,3]").values({0, 0, 0.5, 0.375, 0.4375, 0});
}
OP_TEST(MaskedSoftmaxBackward, IsRowMajorAndHasADim) {
  const Tensor grad = make("f32[2,3]{1,2}");
  expect(ops::_masked_softmax_backward(grad, grad, make("bool[2,3]"))).meta("f32[2,3]");
  expect(ops::_masked_softmax_backward(f32({}, {1}), f32({}, {1}), boolean({}, {0}))).meta("f32[1]").values({0});
}
// As eager: the first elements of an output with more count, and where dim is left out it is the output's last one.
OP_TEST(MaskedSoftmaxBackward, TakesTheFirstElementsOfTheOutput) {
  const Tensor grad = f64({2, 2}, {1, 2, 3, 4}), mask = boolean({2, 2}, {0, 0, 0, 0});
  expect(ops::_masked_softmax_backward(grad, f64({5}, {0.5, 0.5, 0.5, 0.5, 9}), mask)).values({-0.5, -0.5, 0.5, 0.5});
}

}  // namespace
}  // namespace ersatz
