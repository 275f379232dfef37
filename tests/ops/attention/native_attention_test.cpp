#include "kernels/attention/native_attention.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(NativeMultiHeadAttention, ProjectsOneTensorAsThreeEqualOnes) {
  const auto scaled = [](const char* meta) { return call_op<"aten.mul.Scalar">(ramp(meta), Scalar(0.01)); };
  const Tensor x = scaled("f32[2,5,8]"), y = scaled("f32[2,5,8]"), w = scaled("f32[24,8]"), b = scaled("f32[24]"),
               p = scaled("f32[8,8]"), q = scaled("f32[8]");
  const auto of = [&](const Tensor& key) {
    return std::get<0>(ops::_native_multi_head_attention(x, key, key, 8, 2, w, b, p, q));
  };
  expect(call_op<"aten.isclose.default">(of(x), of(y), 1e-5, 1e-6, false)).values(std::vector<double>(80, 1));
}
}  // namespace
}  // namespace ersatz
