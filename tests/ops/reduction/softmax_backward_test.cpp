#include "kernels/reduction/softmax_backward.h"

#include "fake/mode/fake_mode.h"
#include "kernels/reduction/softmax.h"
#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

TEST(SoftmaxBackward, IsTheSlopeOfSoftmaxAndOfItsLogarithm) {
  const Tensor x = f64({2, 3}, {0.5, -1, 2, 0, 1, 0.25}), g = f64({2, 3}, {1, 2, -1, 0.5, 3, 0});
  for (int64_t dim : {0, 1}) {
    const auto softmax = [&] { return ops::softmax(x, dim); };
    const auto logarithms = [&] { return ops::log_softmax(x, dim); };
    expect_slopes(call_op<"aten._softmax_backward_data.default">(g, softmax(), dim, DType::F64), x, g, softmax);
    expect_slopes(call_op<"aten._log_softmax_backward_data.default">(g, logarithms(), dim, DType::F64), x, g,
                  logarithms);
  }
}
OP_TEST(SoftmaxBackwards, AreRowMajor) {
  const Tensor t = ramp("f32[2,3]{1,2}");
  expect(call_op<"aten._softmax_backward_data.default">(t, t, int64_t(0), DType::F32)).meta("f32[2,3]{3,1}");
}
TEST(SoftmaxBackwards, OnCudaWidenOnlyF16) {
  FakeMode mode;
  const FakeScope scope(mode);
  const Tensor f32 = mode.make(parse_meta("f32[2,3]@cuda:0")), f16 = mode.make(parse_meta("f16[2,3]@cuda:0"));
  for (const OpEntry* op :
       {&op_named("aten._softmax_backward_data.default"), &op_named("aten._log_softmax_backward_data.default")}) {
    EXPECT_EQ(call_op(*op, f32, f32, int64_t(1), DType::F16).dtype(), DType::F16);
    expect_refused([&] { call_op(*op, f16, f16, int64_t(1), DType::F32); }, ErrorFamily::Runtime,
                   fmt::format("{}.C2", op->base()));
  }
}

}  // namespace
}  // namespace ersatz
