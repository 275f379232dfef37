// Gradients of CUDA's fused attention. AOTAutograd's joint graphs of forward and backward call these operators. Only
// rules are here, no kernels.
//
// Gradients have the layouts of query, key and value, with one exception: the results of kEfficient, [batch, heads,
// positions, features], have positions before heads in memory. Rows of a bias's gradient are padded to a multiple of 16
// elements. Biases, cumulative lengths and seeds may be None, even if the schema has Tensor. Constraints, where `op` is
// the op's name:
//
// [op.C1] query, key, value and the gradient have four dims. They have equal batch sizes, query and key have equally
// many features, and key and value have one length.
// [op.C2] query, key, value and the gradient have one floating dtype.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_fused_attention_backward {

inline constexpr Schema kFlash{
    "aten::_scaled_dot_product_flash_attention_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, "
    "Tensor "
    "out, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, bool "
    "is_causal, Tensor philox_seed, Tensor philox_offset, *, float? scale=None) -> (Tensor grad_query, Tensor "
    "grad_key, Tensor grad_value)"};
inline constexpr Schema kCudnn{
    "aten::_scaled_dot_product_cudnn_attention_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, "
    "Tensor "
    "out, Tensor logsumexp, Tensor philox_seed, Tensor philox_offset, Tensor attn_bias, Tensor cum_seq_q, Tensor "
    "cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, bool is_causal, *, float? scale=None) -> (Tensor, Tensor, "
    "Tensor)"};
/// The fourth result is the gradient of attn_bias, if there is a bias and `grad_input_mask` asks for its gradient.
inline constexpr Schema kEfficient{
    "aten::_scaled_dot_product_efficient_attention_backward(Tensor grad_out_, Tensor query, Tensor key, Tensor value, "
    "Tensor attn_bias, Tensor out, Tensor logsumexp, Tensor philox_seed, Tensor philox_offset, float dropout_p, "
    "bool[4] "
    "grad_input_mask, bool is_causal=False, *, float? scale=None) -> (Tensor, Tensor, Tensor, Tensor)"};
inline constexpr Schema kFlashInner{
    "aten::_flash_attention_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out, Tensor "
    "logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, bool is_causal, "
    "Tensor "
    "rng_state, Tensor unused, *, float? scale=None, SymInt? window_size_left=None, SymInt? window_size_right=None) -> "
    "(Tensor, Tensor, Tensor)"};
/// The fourth result is the gradient of bias. If no bias requires a gradient, it is an unused 0-d f32 tensor.
inline constexpr Schema kEfficientInner{
    "aten::_efficient_attention_backward(Tensor grad_out_, Tensor query, Tensor key, Tensor value, Tensor? bias, "
    "Tensor "
    "out, Tensor? cu_seqlens_q, Tensor? cu_seqlens_k, SymInt max_seqlen_q, SymInt max_seqlen_k, Tensor logsumexp, "
    "float "
    "dropout_p, Tensor philox_seed, Tensor philox_offset, int custom_mask_type, bool bias_requires_grad, *, float? "
    "scale=None, int? num_splits_key=None, int? window_size=None, bool shared_storage_dqdkdv=False) -> (Tensor, "
    "Tensor, "
    "Tensor, Tensor)"};
/// All schemas above begin with these arguments. Only the names of the operator and of the gradient differ.
inline constexpr Schema kGradient{"aten::{}(Tensor {}, Tensor query, Tensor key, Tensor value, {}) -> {}"};

}  // namespace ersatz::op_fused_attention_backward
