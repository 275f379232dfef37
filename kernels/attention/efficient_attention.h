// CUDA's memory-efficient attention: `_scaled_dot_product_efficient_attention` with heads before positions,
// `_efficient_attention_forward` with positions before heads, or with sequences of different lengths one behind the
// other in one batch.
//
// Constraints
// [_scaled_dot_product_efficient_attention.C1] 4 dims each.
// [_scaled_dot_product_efficient_attention.C2] one dtype of f16, bf16, f32.
// [_scaled_dot_product_efficient_attention.C3] sizes that fit: batches, heads, features, positions.
// [_scaled_dot_product_efficient_attention.C4] features lie side by side.
// [_scaled_dot_product_efficient_attention.C5] dropout_p in [0, 1).
// [_scaled_dot_product_efficient_attention.C6] a bias of the query's dtype or f32 that fits the scores.
// [_efficient_attention_forward.C1] to [_efficient_attention_forward.C6]: the same.
// [_efficient_attention_forward.C7] cumulative lengths: both or none, i32, equally many, beside one batch; with them
//                                   the longest query is given, as max_seqlen_q.
// [_efficient_attention_forward.C8] seqlen_k i32 [batch]; a window of at least one key, or 0 for none.
//
// The output is dense in the order batch, position, head, feature; logsumexp f32, its rows filled up to a multiple of
// 32 with infinity, or empty where it is not asked for. Causal rows see keys 0 to i; of `custom_mask_type` 0 masks
// nothing, 2 aligns with the last key, all others are causal. Seed and offset of dropout are on the CPU, as PyTorch has
// them outside of graph capture. Its random words are this project's own.
#pragma once

#include <optional>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_efficient_attention {

inline constexpr Schema kScaledDotProductEfficientAttention{
    "aten::_scaled_dot_product_efficient_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_bias, bool "
    "compute_log_sumexp, float dropout_p=0., bool is_causal=False, *, float? scale=None) -> (Tensor output, Tensor "
    "log_sumexp, Tensor philox_seed, Tensor philox_offset)"};
inline constexpr Schema kEfficientAttentionForward{
    "aten::_efficient_attention_forward(Tensor query, Tensor key, Tensor value, Tensor? bias, Tensor? cu_seqlens_q, "
    "Tensor? cu_seqlens_k, SymInt? max_seqlen_q, SymInt? max_seqlen_k, float dropout_p, int custom_mask_type, bool "
    "compute_log_sumexp=False, *, float? scale=None, Tensor? seqlen_k=None, int? window_size=None) -> (Tensor output, "
    "Tensor logsumexp, Tensor philox_seed, Tensor philox_offset, SymInt max_seqlen_batch_q, SymInt "
    "max_seqlen_batch_k)"};

}  // namespace ersatz::op_efficient_attention

namespace ersatz::ops {

/// The first result alone: query [batch, head, position, feature].
Tensor scaled_dot_product_efficient_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                              const Tensor& attn_bias, bool compute_log_sumexp, double dropout_p = 0,
                                              bool is_causal = false, std::optional<double> scale = std::nullopt);

}  // namespace ersatz::ops
