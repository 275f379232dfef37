// any and all on CUDA.
#include "kernels/reduction/any_all.h"
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/truth_folds.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_any_all {

void attach_cuda(Registry& registry) {
  for (const char* name : {"aten.any.default", "aten.any.dim", "aten.any.dims"}) {
    cuda_module::attach(registry, name, folds::any_all<DeviceReduction, true>);
  }
  for (const char* name : {"aten.all.default", "aten.all.dim", "aten.all.dims"}) {
    cuda_module::attach(registry, name, folds::any_all<DeviceReduction, false>);
  }
}

}  // namespace ersatz::op_any_all
