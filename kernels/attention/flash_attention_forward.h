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

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// The first result alone: query [batch, head, position, feature], the output like it in memory.
Tensor scaled_dot_product_flash_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                          double dropout_p = 0, bool is_causal = false,
                                          std::optional<double> scale = std::nullopt);

}  // namespace ersatz::ops
