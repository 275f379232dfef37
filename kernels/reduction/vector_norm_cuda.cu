// Norms on CUDA.
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/float_folds.h"
#include "kernels/reduction/vector_norm.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_vector_norm {

void attach_cuda(Registry& registry) {
  for (const char* name : {"aten.linalg_vector_norm.default", "aten.norm.Scalar", "aten.norm.ScalarOpt_dim",
                           "aten.norm.ScalarOpt_dtype", "aten.norm.ScalarOpt_dim_dtype"}) {
    cuda_module::attach(registry, name, folds::vector_norm<DeviceReduction>);
  }
}

}  // namespace ersatz::op_vector_norm
