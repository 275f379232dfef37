// Layers of a transformer encoder, one operator each: multi-head attention with its projections, and the whole encoder
// layer with feed-forward network, norms and residuals.
//
// A mask is true, or not 0, for keys that are hidden. A mask of `mask_type` 0 is [L, L] for all batches, and of type 1
// [B, L] for keys. A mask of type 2, and a 4-d mask of any type, has the sizes of the weights, [B, heads, L, L].
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/attention/native_attention.h"

namespace ersatz::op_native_attention {

/// Returns (result [B, L, D], weights) for query, key and value, each [B, L, D]. qkv_weight [3 D, D] and qkv_bias have
/// the three input projections. The weights are [B, heads, L, L], or their mean over the heads if
/// `average_attn_weights` is true. If `need_weights` is false, or the query is empty, the weights are undefined.
/// [_native_multi_head_attention.C1] query, key and value are 3-d and have equal sizes. The last size is embed_dim.
/// [_native_multi_head_attention.C2] qkv_weight and qkv_bias have 3 embed_dim rows, qkv_weight embed_dim columns.
/// [_native_multi_head_attention.C3] embed_dim is a multiple of num_head, and num_head is positive.
/// [_native_multi_head_attention.C4] mask has the sizes that mask_type requires.
/// [_native_multi_head_attention.C5] in the `out=` overload, need_weights is true and the query is not empty.
inline constexpr TypedSchema kNativeMultiHeadAttention{
    "aten::_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, Tensor "
    "qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? mask=None, bool need_weights=True, "
    "bool average_attn_weights=True, int? mask_type=None) -> (Tensor, Tensor)"};
/// Self-attention on src, then a feed-forward network with one hidden layer (gelu or relu). Both have a residual and a
/// layer norm. If `norm_first` is true, the norm is before attention or network, else after the residual. All errors
/// come from the operators that are called.
inline constexpr TypedSchema kTransformerEncoderLayerFwd{
    "aten::_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, Tensor qkv_weight, Tensor "
    "qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool norm_first, float eps, Tensor norm_weight_1, "
    "Tensor norm_bias_1, Tensor norm_weight_2, Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor "
    "ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None) -> Tensor"};

}  // namespace ersatz::op_native_attention
