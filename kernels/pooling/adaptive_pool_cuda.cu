// Adaptive pools on CUDA, except averages with two spatial dims.
#include "kernels/pooling/device_pool.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_adaptive_pool {
namespace {

void adaptive_avg_pool3d_cuda(KernelCall& call) { adaptive_average(call, 3); }
void adaptive_max_pool2d_cuda(KernelCall& call) { adaptive_max(call, 2); }
void adaptive_max_pool3d_cuda(KernelCall& call) { adaptive_max(call, 3); }

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten._adaptive_avg_pool3d.default", adaptive_avg_pool3d_cuda);
  cuda_module::attach(registry, "aten.adaptive_max_pool2d.default", adaptive_max_pool2d_cuda);
  cuda_module::attach(registry, "aten.adaptive_max_pool3d.default", adaptive_max_pool3d_cuda);
}

}  // namespace ersatz::op_adaptive_pool
