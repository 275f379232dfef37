// nansum on CUDA.
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/nansum.h"
#include "kernels/reduction/summation.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_nansum {

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.nansum.default", sums::nansum<DeviceReduction>);
}

}  // namespace ersatz::op_nansum
