// The gradients of the operator in kernels/attention/flash_attention.h.
//
// Constraints
// [_scaled_dot_product_flash_attention_for_cpu_backward.C1] gradient, query, key, value and out have 4 dims (batch,
//     head, position, feature), and equally many features.
// [_scaled_dot_product_flash_attention_for_cpu_backward.C2] gradient, query, key, value and out have one floating
// dtype. A mask has this dtype or f32.
// [_scaled_dot_product_flash_attention_for_cpu_backward.C3] logsumexp is f32 (f64 for f64) and has the query's batch,
// head and position sizes. PyTorch does not check its rank, and returns wrong gradients if it gets 4-d attention
// probabilities.
// [_scaled_dot_product_flash_attention_for_cpu_backward.C4] gradient, out, key and value have at least the elements
// that the kernel reads.
// [_scaled_dot_product_flash_attention_for_cpu_backward.C5] a mask has 2 or 4 dims, each of size 1 or of the scores'
// size.
//
// `dropout_p` is ignored. Gradients are contiguous in the order batch, position, head, feature.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_flash_attention_backward {

inline constexpr Schema kFlashAttentionForCpuBackward{
    "aten::_scaled_dot_product_flash_attention_for_cpu_backward(Tensor grad_out, Tensor query, Tensor key, Tensor "
    "value, Tensor out, Tensor logsumexp, float dropout_p, bool is_causal, *, Tensor? attn_mask=None, float? "
    "scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value)"};

}  // namespace ersatz::op_flash_attention_backward
