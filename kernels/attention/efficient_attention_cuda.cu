// The memory-efficient attention operators on CUDA.
#include "kernels/attention/device_fused_attention.h"
#include "kernels/attention/efficient_attention.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_efficient_attention {
namespace {

using namespace device_attention;

/// Computes attention. The padding of logsumexp, after the last query, is filled with infinity.
void attend_with_filled_sums(const KernelCall& call, const Problem& p, const Extras& x) {
  if (p.sums.data) fill_elements(call.outputs[1], kInfinity);
  attend(call, p, x);
  store_seed(call.outputs[2], call.outputs[3], x);
}

// Runs a call with the arguments (query, key, value, attn_bias, compute_log_sumexp, dropout_p, is_causal, scale).
void efficient_cuda(KernelCall& call) {
  Extras x;
  const Problem p = biased_problem(call, kScaledDotProductEfficientAttention["scale"], x);
  attend_with_filled_sums(call, p, x);
}

// Runs a call with the arguments (query, key, value, bias, cu_seqlens_q, cu_seqlens_k, max_seqlen_q, max_seqlen_k,
// dropout_p, custom_mask_type, compute_log_sumexp, scale, seqlen_k, window_size).
void efficient_forward_cuda(KernelCall& call) {
  Extras x;
  Problem p = problem_of(call, 2, positions_first, x);
  if (call.has(kEfficientAttentionForward["cu_seqlens_q"])) {
    x.query_starts = counts(call, kEfficientAttentionForward["cu_seqlens_q"]),
    x.key_starts = counts(call, kEfficientAttentionForward["cu_seqlens_k"]);
    p.batches = call.tensor(kEfficientAttentionForward["cu_seqlens_q"]).size(0).as_int() - 1,
    p.queries = call.integer(kEfficientAttentionForward["max_seqlen_q"]);
    p.query.strides[0] = p.key.strides[0] = p.value.strides[0] = p.out.strides[0] = 0;
  }
  if (call.has(kEfficientAttentionForward["bias"]))
    p.mask = mask_operand(call.tensor(kEfficientAttentionForward["bias"]));
  p.scale = scale_of(call, kEfficientAttentionForward["scale"], p);
  const int64_t mask_type = call.integer(kEfficientAttentionForward["custom_mask_type"]);
  p.causal = mask_type != 0;
  x.from_end = mask_type == 2;
  x.key_counts = counts(call, kEfficientAttentionForward["seqlen_k"]);
  if (call.has(kEfficientAttentionForward["window_size"]) &&
      call.integer(kEfficientAttentionForward["window_size"]) > 0)
    x.left = call.integer(kEfficientAttentionForward["window_size"]) - 1;
  x.hidden_sum = kInfinity;
  set_dropout(call.real(kEfficientAttentionForward["dropout_p"]), p, x, call.outputs[0].device());
  attend_with_filled_sums(call, p, x);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten._scaled_dot_product_efficient_attention.default", efficient_cuda);
  cuda_module::attach(registry, "aten._efficient_attention_forward.default", efficient_forward_cuda);
}

}  // namespace ersatz::op_efficient_attention
