// Max pools with one spatial dim on CUDA.
#include "kernels/pooling/device_pool.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_pool1d {
namespace {

void run_cuda(KernelCall& call) { max_windows(call, 1); }

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach(registry, "aten.max_pool1d.default", run_cuda); }

}  // namespace ersatz::op_pool1d
