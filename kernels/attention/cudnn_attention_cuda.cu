// _scaled_dot_product_cudnn_attention on CUDA.
#include "kernels/attention/cudnn_attention.h"
#include "kernels/attention/device_fused_attention.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_cudnn_attention {
namespace {

using namespace device_attention;

// Runs a call with the arguments (query, key, value, attn_bias, compute_log_sumexp, dropout_p, is_causal,
// return_debug_mask, scale).
void cudnn_cuda(KernelCall& call) {
  Extras x;
  const Problem p = biased_problem(call, kScaledDotProductCudnnAttention["scale"], x);
  attend(call, p, x);
  const size_t n = call.outputs.size();
  store_seed(call.outputs[n - 3], call.outputs[n - 2], x);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten._scaled_dot_product_cudnn_attention.default", cudnn_cuda);
}

}  // namespace ersatz::op_cudnn_attention
