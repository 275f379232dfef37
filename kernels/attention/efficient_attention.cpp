#include "kernels/attention/efficient_attention.h"

#include "kernels/attention/attention_layout.h"
#include "kernels/attention/fused_rule.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_efficient_attention {
namespace {

constexpr DTypeSet kDTypes{DType::F16, DType::BF16, DType::F32};
constexpr int64_t kSumsAlignment = 32;

void require_operands(const RuleCall& call, size_t heads) {
  require_attention_device(call);
  require_four_dims(call, "C1");
  require_attention_dtype(call, "C2", kDTypes);
  require_attention_sizes(call, "C3", heads);
  require_dense_features(call, "C4");
}

/// Adds the results logsumexp, seed and offset to the call. If logsumexp is not wanted, it has no rows.
void add_sums_and_seed(RuleCall& call, const AttentionSizes& n, bool wanted) {
  const SymInt rows = floor_div(n.queries + (kSumsAlignment - 1), kSumsAlignment) * kSumsAlignment;
  add_sums(call, {n.batches, n.heads, wanted ? rows : SymInt(0)});
  add_seed_and_offset(call, call.device.is_cuda() ? kCPU : call.device);
}

AttentionSizes heads_first(const RuleCall& call) {
  const auto& q = call.meta(kScaledDotProductEfficientAttention["query"]).sizes;
  return {q[0], q[1], q[2], call.meta(kScaledDotProductEfficientAttention["key"]).sizes[2]};
}

// Computes the result metadata of a call with the arguments (query, key, value, attn_bias, compute_log_sumexp,
// dropout_p, is_causal, scale).
void heads_first_rule(RuleCall& call) {
  require_operands(call, 1);
  require_dropout(call, "C5", kScaledDotProductEfficientAttention["dropout_p"]);
  const AttentionSizes n = heads_first(call);
  require_bias(call, "C6", kScaledDotProductEfficientAttention["attn_bias"], n);
  const TensorMeta& q = call.meta(kScaledDotProductEfficientAttention["query"]);
  const SymInt features = call.meta(kScaledDotProductEfficientAttention["value"]).sizes[3],
               sizes[] = {n.batches, n.heads, n.queries, features};
  call.out.fresh(TensorMeta(q.dtype, sizes, efficient_attention_strides(q, features), call.device));
  add_sums_and_seed(call, n, call.boolean(kScaledDotProductEfficientAttention["compute_log_sumexp"]));
}

std::optional<SymInt> heads_first_flops(RuleCall& call, const RuleResult&) {
  return attention_flops(heads_first(call), call.meta(kScaledDotProductEfficientAttention["query"]).sizes[3],
                         call.meta(kScaledDotProductEfficientAttention["value"]).sizes[3]);
}

// Returns the sizes of a call with the arguments (query, key, value, bias, cu_seqlens_q, cu_seqlens_k, max_seqlen_q,
// max_seqlen_k, dropout_p, custom_mask_type, compute_log_sumexp, scale, seqlen_k, window_size).
AttentionSizes positions_first(const RuleCall& call) {
  const auto& q = call.meta(kEfficientAttentionForward["query"]).sizes;
  const SymInt keys = call.has(kEfficientAttentionForward["max_seqlen_k"])
                          ? call.sym(kEfficientAttentionForward["max_seqlen_k"])
                          : call.meta(kEfficientAttentionForward["key"]).sizes[1];
  if (call.has(kEfficientAttentionForward["cu_seqlens_q"]))
    return {call.meta(kEfficientAttentionForward["cu_seqlens_q"]).sizes[0] - 1, q[2],
            call.sym(kEfficientAttentionForward["max_seqlen_q"]), keys};
  return {q[0], q[2], q[1], keys};
}

void require_lengths(const RuleCall& call) {
  call.require(
      call.has(kEfficientAttentionForward["cu_seqlens_q"]) == call.has(kEfficientAttentionForward["cu_seqlens_k"]),
      "C7", "cumulative lengths must be given for query and key, or for neither");
  if (!call.has(kEfficientAttentionForward["cu_seqlens_q"])) return;
  require_cumulative(call, "C7", kEfficientAttentionForward["cu_seqlens_q"]);
  require_cumulative(call, "C7", kEfficientAttentionForward["cu_seqlens_k"]);
  call.require(check_eq(call.meta(kEfficientAttentionForward["cu_seqlens_q"]).sizes[0],
                        call.meta(kEfficientAttentionForward["cu_seqlens_k"]).sizes[0]),
               "C7", "query and key must have as many sequences: their cumulative lengths are {}, {}",
               call.meta(kEfficientAttentionForward["cu_seqlens_q"]),
               call.meta(kEfficientAttentionForward["cu_seqlens_k"]));
  call.require(check_eq(call.meta(kEfficientAttentionForward["query"]).sizes[0], 1), "C7",
               "sequences of different lengths lie in one batch: query is {}",
               call.meta(kEfficientAttentionForward["query"]));
  call.require(call.has(kEfficientAttentionForward["max_seqlen_q"]), "C7",
               "max_seqlen_q, the longest query, must be given beside cumulative lengths");
}

void forward_rule(RuleCall& call) {
  require_operands(call, 2);
  require_lengths(call);
  require_dropout(call, "C5", kEfficientAttentionForward["dropout_p"]);
  const TensorMeta& q = call.meta(kEfficientAttentionForward["query"]);
  const AttentionSizes n = positions_first(call);
  AttentionSizes scores = n;
  if (!call.has(kEfficientAttentionForward["cu_seqlens_q"]))
    scores.keys = call.meta(kEfficientAttentionForward["key"]).sizes[1];
  require_bias(call, "C6", kEfficientAttentionForward["bias"], scores);
  if (call.has(kEfficientAttentionForward["seqlen_k"])) {
    const TensorMeta& lengths = call.meta(kEfficientAttentionForward["seqlen_k"]);
    call.require(lengths.dtype == DType::I32 && lengths.dim() == 1 && check_eq(lengths.sizes[0], n.batches) &&
                     is_contiguous(lengths),
                 "C8", "seqlen_k must be i32 of size {}: it is {}", n.batches, lengths);
  }
  if (call.has(kEfficientAttentionForward["window_size"])) {
    call.require(call.integer(kEfficientAttentionForward["window_size"]) >= 0, "C8",
                 "window_size must not be negative: it is {}", call.integer(kEfficientAttentionForward["window_size"]));
  }
  const SymInt sizes[] = {q.sizes[0], q.sizes[1], q.sizes[2], call.meta(kEfficientAttentionForward["value"]).sizes[3]};
  call.out.fresh(TensorMeta(q.dtype, sizes, call.device));
  add_sums_and_seed(call, n, call.boolean(kEfficientAttentionForward["compute_log_sumexp"]));
  call.out.number(Value(n.queries));
  call.out.number(Value(n.keys));
}

std::optional<SymInt> forward_flops(RuleCall& call, const RuleResult&) {
  return attention_flops(positions_first(call), call.meta(kEfficientAttentionForward["query"]).sizes[3],
                         call.meta(kEfficientAttentionForward["value"]).sizes[3]);
}

}  // namespace

void register_ops(Registry& r) {
  add_fused_attention(r, kScaledDotProductEfficientAttention, heads_first_rule, heads_first_flops, kDTypes)
      .refuses("", "f32[2,4,5,8], f32[2,4,7,8], f32[2,4,7,8], None, True");
  add_fused_attention(r, kEfficientAttentionForward, forward_rule, forward_flops, kDTypes)
      .refuses("", "f32[2,5,4,8], f32[2,7,4,8], f32[2,7,4,8], None, None, None, None, None, 0.0, 0");
}

}  // namespace ersatz::op_efficient_attention

namespace ersatz::ops {

Tensor scaled_dot_product_efficient_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                              const Tensor& attn_bias, bool compute_log_sumexp, double dropout_p,
                                              bool is_causal, std::optional<double> scale) {
  return call_op_all<"aten._scaled_dot_product_efficient_attention.default">(
             query, key, value, attn_bias, compute_log_sumexp, dropout_p, is_causal, scale)[0]
      .take_tensor();
}

}  // namespace ersatz::ops
