// Max pools with two spatial dims on CUDA.
#include "kernels/pooling/device_pool.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_max_pool2d {
namespace {

void run_cuda(KernelCall& call) { max_windows(call, 2); }

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.max_pool2d_with_indices.default", run_cuda);
}

}  // namespace ersatz::op_max_pool2d
