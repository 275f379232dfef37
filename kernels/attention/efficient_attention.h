// CUDA's memory-efficient attention. In `_scaled_dot_product_efficient_attention`, tensors have heads before positions.
// In `_efficient_attention_forward`, tensors have positions before heads, and sequences of different lengths may be
// packed into one batch.
//
// Constraints
// [_scaled_dot_product_efficient_attention.C1] query, key and value have 4 dims.
// [_scaled_dot_product_efficient_attention.C2] query, key and value have one dtype: f16, bf16 or f32.
// [_scaled_dot_product_efficient_attention.C3] the sizes of query, key and value fit: batches, heads, features,
// positions.
// [_scaled_dot_product_efficient_attention.C4] the feature dims have stride 1.
// [_scaled_dot_product_efficient_attention.C5] dropout_p is in [0, 1).
// [_scaled_dot_product_efficient_attention.C6] a bias has the query's dtype or f32, and broadcasts to the scores.
// [_efficient_attention_forward.C1] to [_efficient_attention_forward.C6] are the conditions of
// _scaled_dot_product_efficient_attention with these numbers.
// [_efficient_attention_forward.C7] the call has cumulative lengths of both queries and keys, or of neither. The two
// tensors are i32 and equally long. With them, the batch size is 1, and the call has max_seqlen_q, the length of the
// longest query sequence.
// [_efficient_attention_forward.C8] seqlen_k is i32 [batch]. A window has at least one key; window_size 0 means no
// window.
//
// The output is contiguous in the order batch, position, head, feature. logsumexp is f32. Its rows are padded with
// infinity to a multiple of 32, and it is empty if the call does not ask for it. If `is_causal` is true, query i uses
// keys 0 to i. `custom_mask_type` 0 means no mask, 2 a causal mask aligned with the last key, and any other value a
// causal mask aligned with the first key. Seed and offset of dropout are on the CPU, like in PyTorch outside of graph
// capture. The random words differ from PyTorch's.
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

/// Calls the operator and returns its first result. `query` is [batch, head, position, feature].
Tensor scaled_dot_product_efficient_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                              const Tensor& attn_bias, bool compute_log_sumexp, double dropout_p = 0,
                                              bool is_causal = false, std::optional<double> scale = std::nullopt);

}  // namespace ersatz::ops
