// Pools with three spatial dims on CUDA.
#include "kernels/pooling/device_pool.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_pool3d {
namespace {

void avg_pool3d_cuda(KernelCall& call) { average_windows(call, 3); }
void max_pool3d_with_indices_cuda(KernelCall& call) { max_windows(call, 3); }

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.avg_pool3d.default", avg_pool3d_cuda);
  cuda_module::attach(registry, "aten.max_pool3d_with_indices.default", max_pool3d_with_indices_cuda);
}

}  // namespace ersatz::op_pool3d
