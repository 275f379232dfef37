// Attention in blocks: softmax(scale * query @ key^T + mask) @ value without ever holding all scores.
//
// Constraints
// [_scaled_dot_product_flash_attention_for_cpu.C1] query, key and value have dims batch, head, position, feature.
// [_scaled_dot_product_flash_attention_for_cpu.C2] one floating dtype; a mask has it too, or is f32.
// [_scaled_dot_product_flash_attention_for_cpu.C3] no dropout.
// [_scaled_dot_product_flash_attention_for_cpu.C4] as many features in all three.
// [_scaled_dot_product_flash_attention_for_cpu.C5] a mask of 2 or 4 dims, each of size 1 or the scores' size.
// [_scaled_dot_product_flash_attention_for_cpu.C6] key and value hold the batches, heads and positions that are read.
//
// f16 and bf16 are computed in f32. A row that the mask hides whole is zero, its logsumexp too. The name is PyTorch's,
// which has the op on the CPU only; here it runs on CUDA too, where `scaled_dot_product_attention` does not choose it.
#pragma once

#include <optional>
#include <utility>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_flash_attention {

inline constexpr Schema kScaledDotProductFlashAttentionForCpu{
    "aten::_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, float dropout_p=0., "
    "bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> (Tensor output, Tensor logsumexp)"};

}  // namespace ersatz::op_flash_attention

namespace ersatz::ops {

struct FlashAttentionResult {
  Tensor output;     ///< layout of the query where that is dense
  Tensor logsumexp;  ///< f32 (f64 of f64), batch, head, position; heads innermost in memory
};
/// Causal: position i sees keys 0 to i. `scale`: 1 / sqrt(features) unless given. Each head of key and value
/// serves (heads of the query) / (heads of the key) heads of the query.
FlashAttentionResult flash_attention_for_cpu(const Tensor& query, const Tensor& key, const Tensor& value,
                                             double dropout_p = 0, bool is_causal = false,
                                             const Tensor& attn_mask = Tensor(),
                                             std::optional<double> scale = std::nullopt);

}  // namespace ersatz::ops
