#include "kernels/attention/cudnn_attention.h"

#include "kernels/attention/attention_layout.h"
#include "kernels/attention/fused_rule.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_cudnn_attention {
namespace {

AttentionSizes sizes_of(const RuleCall& call) {
  const auto& q = call.meta(kScaledDotProductCudnnAttention["query"]).sizes;
  return {q[0], q[1], q[2], call.meta(kScaledDotProductCudnnAttention["key"]).sizes[2]};
}

// Computes the result metadata of a call with the arguments (query, key, value, attn_bias, compute_log_sumexp,
// dropout_p, is_causal, return_debug_mask, scale).
void rule(RuleCall& call) {
  require_attention_device(call);
  require_four_dims(call, "C1");
  require_attention_dtype(call, "C2", {DType::F16, DType::BF16});
  require_attention_sizes(call, "C3", 1, /*apart=*/true);
  require_dense_features(call, "C4");
  require_dropout(call, "C5", kScaledDotProductCudnnAttention["dropout_p"]);
  const AttentionSizes n = sizes_of(call);
  require_bias(call, "C6", kScaledDotProductCudnnAttention["attn_bias"], n);
  const TensorMeta& q = call.meta(kScaledDotProductCudnnAttention["query"]);
  const SymInt features = call.meta(kScaledDotProductCudnnAttention["value"]).sizes[3],
               sizes[] = {n.batches, n.heads, n.queries, features};
  call.out.fresh(TensorMeta(q.dtype, sizes, cudnn_attention_strides(q, features), call.device));
  add_sums(call, {n.batches, n.heads, n.queries, SymInt(1)});
  call.out.none();
  call.out.none();
  call.out.number(Value(n.queries));
  call.out.number(Value(n.keys));
  add_seed_and_offset(call, call.device);
  call.out.none();
}

std::optional<SymInt> flops(RuleCall& call, const RuleResult&) {
  return attention_flops(sizes_of(call), call.meta(kScaledDotProductCudnnAttention["query"]).sizes[3],
                         call.meta(kScaledDotProductCudnnAttention["value"]).sizes[3]);
}

}  // namespace

void register_ops(Registry& r) {
  add_fused_attention(r, kScaledDotProductCudnnAttention, rule, flops, {DType::F16, DType::BF16})
      .refuses("", "f16[2,4,5,8], f16[2,4,7,8], f16[2,4,7,8], None, True");
}

}  // namespace ersatz::op_cudnn_attention

namespace ersatz::ops {

Tensor scaled_dot_product_cudnn_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                          const Tensor& attn_bias, bool compute_log_sumexp, double dropout_p,
                                          bool is_causal, std::optional<double> scale) {
  return call_op_all<"aten._scaled_dot_product_cudnn_attention.default">(
             query, key, value, attn_bias, compute_log_sumexp, dropout_p, is_causal, false, scale)[0]
      .take_tensor();
}

}  // namespace ersatz::ops
