// logsumexp on CUDA.
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/float_folds.h"
#include "kernels/reduction/logsumexp.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_logsumexp {

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.logsumexp.default", folds::logsumexp<DeviceReduction>);
  cuda_module::attach(registry, "aten.logsumexp.out", folds::logsumexp<DeviceReduction>);
}

}  // namespace ersatz::op_logsumexp
