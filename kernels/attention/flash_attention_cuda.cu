// _scaled_dot_product_flash_attention_for_cpu on CUDA.
#include "kernels/attention/flash_launch.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_flash_attention {
namespace {

void run_cuda(KernelCall& call) {
  const Problem p = problem_of(call);
  attend_on_device(p, {.value_features = p.features, .value_group = p.group}, call.outputs[0].device().index);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten._scaled_dot_product_flash_attention_for_cpu.default", run_cuda);
}

}  // namespace ersatz::op_flash_attention
