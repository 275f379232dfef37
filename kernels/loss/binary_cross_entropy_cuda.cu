// Binary cross entropy on CUDA.
#include "kernels/loss/probabilities.h"
#include "kernels/random/device_draw.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_binary_cross_entropy {

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.binary_cross_entropy.default", run<DeviceDraw>);
}

}  // namespace ersatz::op_binary_cross_entropy
