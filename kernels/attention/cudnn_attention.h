// cuDNN's attention on CUDA: `_scaled_dot_product_cudnn_attention`.
//
// Constraints
// [_scaled_dot_product_cudnn_attention.C1] query, key and value have 4 dims.
// [_scaled_dot_product_cudnn_attention.C2] query, key and value have one dtype, f16 or bf16.
// [_scaled_dot_product_cudnn_attention.C3] the sizes of query, key and value fit: batches, heads, features and
// positions.
// [_scaled_dot_product_cudnn_attention.C4] the feature dims have stride 1.
// [_scaled_dot_product_cudnn_attention.C5] dropout_p is in [0, 1).
// [_scaled_dot_product_cudnn_attention.C6] a bias has the query's dtype or f32, and broadcasts to the scores.
//
// If `is_causal` is true, query i uses keys 0 to i. The logsumexp, f32 [batch, head, position, 1], is always written.
// ersatz's own kernel runs for a call with dropout, and for a call that cuDNN has no engine for.
#pragma once

#include <optional>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_cudnn_attention {

inline constexpr Schema kScaledDotProductCudnnAttention{
    "aten::_scaled_dot_product_cudnn_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_bias, bool "
    "compute_log_sumexp, float dropout_p=0., bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) "
    "-> (Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor "
    "philox_seed, Tensor philox_offset, Tensor debug_attn_mask)"};

}  // namespace ersatz::op_cudnn_attention

namespace ersatz::ops {

/// Calls the operator and returns its first result, in the layout of `query`. Dims are [batch, head, position,
/// feature].
Tensor scaled_dot_product_cudnn_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                          const Tensor& attn_bias, bool compute_log_sumexp, double dropout_p = 0,
                                          bool is_causal = false, std::optional<double> scale = std::nullopt);

}  // namespace ersatz::ops
