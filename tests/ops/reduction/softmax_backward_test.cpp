#include "kernels/reduction/softmax_backward.h"

#include "fake/mode/fake_mode.h"
#include "kernels/reduction/softmax.h"
#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

TEST(SoftmaxBackward, IsSlopeOfSoftmaxAndOfItsLogarithm) {
  const Tensor x = f64({2, 3}, {0.5, -1, 2, 0, 1, 0.25}), g = f64({2, 3}, {1, 2, -1, 0.5, 3, 0});
  for (int64_t dim : {0, 1}) {
    const auto softmax = [&] { return ops::softmax(x, dim); };
    const auto logarithms = [&] { return ops::log_softmax(x, dim); };
    expect_slopes(call_op<"aten._softmax_backward_data.default">(g, softmax(), dim, DType::F64), x, g, softmax);
    expect_slopes(call_op<"aten._log_softmax_backward_data.default">(g, logarithms(), dim, DType::F64), x, g,
                  logarithms);
  }
}
TEST(SoftmaxBackwards, OnCudaWidenOnlyF16) {
  FakeMode mode;
  const FakeScope scope(mode);
  const Tensor f32 = mode.make(parse_meta("f32[2,3]@cuda:0")), f16 = mode.make(parse_meta("f16[2,3]@cuda:0"));
  const auto gradient = [](const char* op, const Tensor& x, DType t) {
    return call_op(op_named(op), x, x, int64_t(1), t);
  };
  EXPECT_EQ(gradient("aten._softmax_backward_data.default", f32, DType::F16).dtype(), DType::F16);
  EXPECT_EQ(gradient("aten._log_softmax_backward_data.default", f32, DType::F16).dtype(), DType::F16);
  expect_refused([&] { gradient("aten._softmax_backward_data.default", f16, DType::F32); }, ErrorFamily::Runtime,
                 "_softmax_backward_data.C2");
  expect_refused([&] { gradient("aten._log_softmax_backward_data.default", f16, DType::F32); }, ErrorFamily::Runtime,
                 "_log_softmax_backward_data.C2");
}
}  // namespace
}  // namespace ersatz
