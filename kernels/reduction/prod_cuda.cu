// prod on CUDA.
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/prod.h"
#include "kernels/reduction/summation.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_prod {
namespace {

void prod_cuda(KernelCall& call) { sums::prod<DeviceReduction>(call.tensor(kProd["self"]), call.outputs[0], kAllDims); }
void prod_dim_cuda(KernelCall& call) {
  const int64_t dim[] = {call.integer(kProdDimInt["dim"])};
  sums::prod<DeviceReduction>(call.tensor(kProdDimInt["self"]), call.outputs[0],
                              reduced_dims(dim, call.tensor(kProdDimInt["self"]).dim()));
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.prod.default", prod_cuda);
  cuda_module::attach(registry, "aten.prod.dim_int", prod_dim_cuda);
}

}  // namespace ersatz::op_prod
