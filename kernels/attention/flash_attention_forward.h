// CUDA's flash attention. In `_scaled_dot_product_flash_attention`, tensors have heads before positions. In
// `_flash_attention_forward`, tensors have positions before heads, and sequences of different lengths may be packed.
//
// Constraints
// [_scaled_dot_product_flash_attention.C1] query, key and value have 4 dims (index error).
// [_scaled_dot_product_flash_attention.C2] query, key and value have one dtype, f16 or bf16.
// [_scaled_dot_product_flash_attention.C3] batches, heads, features and positions fit, and there is at least one batch.
// [_scaled_dot_product_flash_attention.C4] the feature dims have stride 1, and a size that is a multiple of 8 and at
// most 256.
// [_scaled_dot_product_flash_attention.C5] dropout_p is in [0, 1).
// [_flash_attention_forward.C1] to [_flash_attention_forward.C5] are the conditions of
// _scaled_dot_product_flash_attention with these numbers. With cumulative lengths, query, key and value have 3 dims.
// [_flash_attention_forward.C6] the call has cumulative lengths of both queries and keys, or of neither. The two
// tensors are i32 and equally long.
// [_flash_attention_forward.C7] seqused_k is i32 [batch]; alibi_slopes is f32 [heads] or [batch, heads].
//
// The logsumexp is f32. Like in FlashAttention 2, a causal mask is aligned with the last key. A query that uses no key
// has result 0 and logsumexp infinity.
//
// The debug mask has the shape that PyTorch predicts, and contains as many weights as fit. Weights that dropout drops
// are negative. The random words of dropout differ from PyTorch's.
#pragma once

#include <optional>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_flash_attention_forward {

inline constexpr Schema kScaledDotProductFlashAttention{
    "aten::_scaled_dot_product_flash_attention(Tensor query, Tensor key, Tensor value, float dropout_p=0., bool "
    "is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor "
    "cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor rng_state, Tensor unused, Tensor "
    "debug_attn_mask)"};
inline constexpr Schema kFlashAttentionForward{
    "aten::_flash_attention_forward(Tensor query, Tensor key, Tensor value, Tensor? cum_seq_q, Tensor? cum_seq_k, "
    "SymInt max_q, SymInt max_k, float dropout_p, bool is_causal, bool return_debug_mask, *, float? scale=None, "
    "SymInt? window_size_left=None, SymInt? window_size_right=None, Tensor? seqused_k=None, Tensor? alibi_slopes=None, "
    "Tensor? block_table=None, int? num_splits=None) -> (Tensor output, Tensor softmax_logsumexp, Tensor rng_state, "
    "Tensor unused, Tensor debug_attn_mask)"};
inline constexpr Schemas kEach{kScaledDotProductFlashAttention, kFlashAttentionForward};

}  // namespace ersatz::op_flash_attention_forward

namespace ersatz::ops {

/// Calls the operator and returns its first result, in the layout of `query`. Dims are [batch, head, position,
/// feature].
Tensor scaled_dot_product_flash_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                          double dropout_p = 0, bool is_causal = false,
                                          std::optional<double> scale = std::nullopt);

}  // namespace ersatz::ops
