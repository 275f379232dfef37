// Adaptive average pools with two spatial dims on CUDA.
#include "kernels/pooling/device_pool.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_adaptive_avg_pool2d {
namespace {

void run_cuda(KernelCall& call) { adaptive_average(call, 2); }

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach(registry, "aten._adaptive_avg_pool2d.default", run_cuda); }

}  // namespace ersatz::op_adaptive_avg_pool2d
