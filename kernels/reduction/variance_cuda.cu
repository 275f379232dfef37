// var, std, norms and logsumexp on CUDA.
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/moment_folds.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_variance {

void attach_cuda(Registry& registry) {
  for (const char* overload : {".default", ".dim", ".correction"}) {
    for (const char* name : {"aten.var", "aten.var_mean"}) {
      cuda_module::attach(registry, std::string(name) + overload, folds::variance<DeviceReduction, false>);
    }
    for (const char* name : {"aten.std", "aten.std_mean"}) {
      cuda_module::attach(registry, std::string(name) + overload, folds::variance<DeviceReduction, true>);
    }
  }
  for (const char* name : {"aten.linalg_vector_norm.default", "aten.norm.Scalar", "aten.norm.ScalarOpt_dim",
                           "aten.norm.ScalarOpt_dtype", "aten.norm.ScalarOpt_dim_dtype"}) {
    cuda_module::attach(registry, name, folds::vector_norm<DeviceReduction>);
  }
  cuda_module::attach(registry, "aten.logsumexp.default", folds::logsumexp<DeviceReduction>);
  cuda_module::attach(registry, "aten.logsumexp.out", folds::logsumexp<DeviceReduction>);
}

}  // namespace ersatz::op_variance
