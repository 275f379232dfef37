// CUDA's flash attention: `_scaled_dot_product_flash_attention` with heads before positions,
// `_flash_attention_forward` with positions before heads, or with sequences of different lengths one behind the other.
//
// Constraints
// [_scaled_dot_product_flash_attention.C1] 4 dims each (index error).
// [_scaled_dot_product_flash_attention.C2] one dtype, f16 or bf16.
// [_scaled_dot_product_flash_attention.C3] sizes that fit: batches, heads, features, positions; a batch at least.
// [_scaled_dot_product_flash_attention.C4] features lie side by side; a multiple of 8 of them, at most 256.
// [_scaled_dot_product_flash_attention.C5] dropout_p in [0, 1).
// [_flash_attention_forward.C1] to [_flash_attention_forward.C5]: the same; 3 dims where lengths are given.
// [_flash_attention_forward.C6] cumulative lengths: both or none, i32, equally many.
// [_flash_attention_forward.C7] seqused_k i32 [batch]; alibi_slopes f32 [heads] or [batch, heads].
//
// Sums are f32. Causal rows are aligned with the last key, as FlashAttention 2 has them; a row that sees no key is
// zero, with an infinite logsumexp. The debug mask holds the weights, those that dropout drops with a minus sign, as
// far as its shape goes, which is the one that PyTorch predicts. The random words of dropout are this project's own.
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

/// The first result alone: query [batch, head, position, feature], the output like it in memory.
Tensor scaled_dot_product_flash_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                          double dropout_p = 0, bool is_causal = false,
                                          std::optional<double> scale = std::nullopt);

}  // namespace ersatz::ops
