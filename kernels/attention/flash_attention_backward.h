// The gradients of attention in blocks (kernels/attention/flash_attention.h).
//
// Constraints
// [_scaled_dot_product_flash_attention_for_cpu_backward.C1] gradient, query, key, value and out have 4 dims (batch,
//     head, position, feature), and as many features.
// [_scaled_dot_product_flash_attention_for_cpu_backward.C2] these have one floating dtype; a mask has it, or is f32.
// [_scaled_dot_product_flash_attention_for_cpu_backward.C3] logsumexp has dims batch, head, position, those of the
//     query, and f32 (f64 of f64). PyTorch does not look at its dims: attention probabilities, with one more dim, give
//     wrong gradients there.
// [_scaled_dot_product_flash_attention_for_cpu_backward.C4] gradient and out hold what is read for the query, key and
//     value what the query reads.
// [_scaled_dot_product_flash_attention_for_cpu_backward.C5] a mask of 2 or 4 dims, each of size 1 or the scores' size.
//
// `dropout_p` is not looked at. Each gradient lies in memory as batch, position, head, feature.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_flash_attention_backward {

inline constexpr Schema kFlashAttentionForCpuBackward{
    "aten::_scaled_dot_product_flash_attention_for_cpu_backward(Tensor grad_out, Tensor query, Tensor key, Tensor "
    "value, Tensor out, Tensor logsumexp, float dropout_p, bool is_causal, *, Tensor? attn_mask=None, float? "
    "scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value)"};

}  // namespace ersatz::op_flash_attention_backward
