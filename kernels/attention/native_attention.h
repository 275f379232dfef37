// The layers of a transformer encoder as one op each: attention over several heads between its two projections, and
// that attention with its feed-forward network, norms and residuals.
//
// A mask is true (or not 0) where a key is not seen. `mask_type` says what it is: 0 [L, L] for all; 1 [B, L], of keys;
// 2, and any type of a 4-d mask, the sizes of the weights, [B, heads, L, L].
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/attention/native_attention.h"

namespace ersatz::op_native_attention {

/// (result [B, L, D], weights) of query, key and value, [B, L, D] each; qkv_weight [3 D, D] and qkv_bias hold their
/// three projections. The weights are [B, heads, L, L], with `average_attn_weights` their means over the heads; without
/// `need_weights`, and of a query without elements, they are undefined.
/// [_native_multi_head_attention.C1] query, key and value are 3-d and of one size, the last of them embed_dim.
/// [_native_multi_head_attention.C2] qkv_weight and qkv_bias have 3 embed_dim rows, qkv_weight embed_dim columns.
/// [_native_multi_head_attention.C3] embed_dim is a multiple of num_head, which is positive.
/// [_native_multi_head_attention.C4] mask has the sizes that mask_type says.
/// [_native_multi_head_attention.C5] the form that writes is asked for weights, and there are some.
inline constexpr TypedSchema kNativeMultiHeadAttention{
    "aten::_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, Tensor "
    "qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? mask=None, bool need_weights=True, "
    "bool average_attn_weights=True, int? mask_type=None) -> (Tensor, Tensor)"};
/// Attention of src to itself, then a network of one hidden layer (gelu or relu); around each a residual and a layer
/// norm, before the sublayer with `norm_first`, else behind its residual. Refusals are those of the ops inside.
inline constexpr TypedSchema kTransformerEncoderLayerFwd{
    "aten::_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, Tensor qkv_weight, Tensor "
    "qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool norm_first, float eps, Tensor norm_weight_1, "
    "Tensor norm_bias_1, Tensor norm_weight_2, Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor "
    "ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None) -> Tensor"};

}  // namespace ersatz::op_native_attention
