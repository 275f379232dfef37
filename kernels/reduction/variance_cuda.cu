// var, std, var_mean and std_mean on CUDA.
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/moment_folds.h"
#include "kernels/reduction/variance.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_variance {

void attach_cuda(Registry& registry) {
  for (const char* name : {"aten.var.default", "aten.var.dim", "aten.var.correction", "aten.var_mean.default",
                           "aten.var_mean.dim", "aten.var_mean.correction"}) {
    cuda_module::attach(registry, name, folds::variance<DeviceReduction, false>);
  }
  for (const char* name : {"aten.std.default", "aten.std.dim", "aten.std.correction", "aten.std_mean.default",
                           "aten.std_mean.dim", "aten.std_mean.correction"}) {
    cuda_module::attach(registry, name, folds::variance<DeviceReduction, true>);
  }
}

}  // namespace ersatz::op_variance
