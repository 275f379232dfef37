#include "kernels/attention/flash_attention_backward.h"

#include "runtime/op/dispatch.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

Values gradients(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& sums, bool causal) {
  return call_op_all<"aten._scaled_dot_product_flash_attention_for_cpu_backward.default">(
      q, q, k, v, q, sums, 0.0, causal, Tensor(), std::optional<double>());
}

OP_TEST(FlashAttentionBackward, LaysGradientsOutByPosition) {
  const Values g =
      gradients(ramp("f32[2,4,3,8]"), ramp("f32[2,2,6,8]"), ramp("f32[2,2,6,8]"), ramp("f32[2,4,3]"), false);
  expect(g[0].tensor()).meta("f32[2,4,3,8]{96,8,32,1}+0@cpu");
  expect(g[1].tensor()).meta("f32[2,2,6,8]{96,8,16,1}+0@cpu");
  expect(g[2].tensor()).meta("f32[2,2,6,8]{96,8,16,1}+0@cpu");
}

// One key: its weight is exp(score - logsumexp) = 1, so the value's gradient is the output's, and the scores have none.
TEST(FlashAttentionBackwardOnCpu, HandsTheGradientToASingleValue) {
  const Tensor q = tensor_of<float>({2, 3}, {1, 1, 1, 2}), k = tensor_of<float>({0, 0}, {1, 1, 1, 2});
  const Values g = gradients(q, k, q, tensor_of<float>({0}, {1, 1, 1}), false);
  expect(g[0].tensor()).values({0, 0});
  expect(g[1].tensor()).values({0, 0});
  expect(g[2].tensor()).values({2, 3});
}

// own/training_step_gpt: a program that hands the probabilities over computes wrong gradients in PyTorch.
OP_TEST(FlashAttentionBackward, RefusesProbabilitiesInPlaceOfLogsumexp) {
  const Tensor t = ramp("f32[1,2,3,4]");
  expect_error([&] { gradients(t, t, t, ramp("f32[1,2,3,3]"), true); },
               "_scaled_dot_product_flash_attention_for_cpu_backward.C3", "logsumexp");
}

}  // namespace
}  // namespace ersatz
