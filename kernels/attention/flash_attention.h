// Attention in blocks: softmax(scale * query @ key^T + mask) @ value without storing all scores.
//
// Constraints
// [_scaled_dot_product_flash_attention_for_cpu.C1] query, key and value have dims batch, head, position, feature.
// [_scaled_dot_product_flash_attention_for_cpu.C2] query, key and value have one floating dtype. A mask has this dtype
// or f32.
// [_scaled_dot_product_flash_attention_for_cpu.C3] dropout_p is 0.
// [_scaled_dot_product_flash_attention_for_cpu.C4] query, key and value have equally many features.
// [_scaled_dot_product_flash_attention_for_cpu.C5] a mask has 2 or 4 dims, each of size 1 or of the scores' size.
// [_scaled_dot_product_flash_attention_for_cpu.C6] key and value have at least the batches, heads and positions that
// the kernel reads.
//
// f16 and bf16 are computed in f32. If the mask hides all keys from a query, its result and logsumexp are zero. PyTorch
// has this operator on the CPU only. ersatz has a CUDA kernel too, but `scaled_dot_product_attention` does not call it
// on CUDA.
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
  Tensor output;     ///< in the query's layout if that layout is dense
  Tensor logsumexp;  ///< f32 (f64 if the query is f64), [batch, head, position], with heads innermost in memory
};
/// Attention on the CPU. If `is_causal` is true, query i uses keys 0 to i. The default of `scale` is 1 /
/// sqrt(features). The query may have more heads than key and value. Then adjacent query heads share a head of key and
/// value.
FlashAttentionResult flash_attention_for_cpu(const Tensor& query, const Tensor& key, const Tensor& value,
                                             double dropout_p = 0, bool is_causal = false,
                                             const Tensor& attn_mask = Tensor(),
                                             std::optional<double> scale = std::nullopt);

}  // namespace ersatz::ops
