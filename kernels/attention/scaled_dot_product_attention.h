// Two operators for attention, softmax(scale * query @ key^T + mask) @ value. `scaled_dot_product_attention` chooses a
// kernel. `_scaled_dot_product_attention_math` uses matrix products and softmax.
//
// Constraints
// [scaled_dot_product_attention.C1] query, key and value have one dtype.
// [scaled_dot_product_attention.C2] query, key and value have at least 2 dims.
// [scaled_dot_product_attention.C3] a mask is bool, f32 or has the query's dtype.
// [scaled_dot_product_attention.C4] if is_causal is true, there is no mask.
// [_scaled_dot_product_attention_math.C4] if is_causal is true, there is no mask.
// [_scaled_dot_product_attention_math.C5] with enable_gqa, the numbers of key heads and of value heads divide the
// number of query heads.
//
// The default of `scale` is 1 / sqrt(features). A bool mask is true for keys that are used.
// `_scaled_dot_product_attention_math` adds the mask to the scores, so a bool mask is added as numbers. If `value` is
// empty, the result is zeros.
#pragma once

#include <optional>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_scaled_dot_product_attention {

inline constexpr Schema kScaledDotProductAttention{
    "aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float "
    "dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor"};
inline constexpr Schema kFusedSdpChoice{
    "aten::_fused_sdp_choice(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0., bool "
    "is_causal=False, *, float? scale=None, bool enable_gqa=False) -> int"};
inline constexpr Schema kScaledDotProductAttentionMath{
    "aten::_scaled_dot_product_attention_math(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float "
    "dropout_p=0., bool is_causal=False, Tensor? dropout_mask=None, *, float? scale=None, bool enable_gqa=False) -> "
    "(Tensor, Tensor)"};

}  // namespace ersatz::op_scaled_dot_product_attention

namespace ersatz::ops {

struct AttentionOptions {
  Tensor mask;
  double dropout = 0;
  bool causal = false;  ///< true: query i uses keys 0 to i
  std::optional<double> scale;
  bool grouped = false;  ///< true: several query heads share one head of key and value
};
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const AttentionOptions& options = {});

}  // namespace ersatz::ops
