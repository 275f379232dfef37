// sum, mean, nansum and prod on CUDA: the structs of summation.h in the device's engine.
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/summation.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_sum {
namespace {

void sum_cuda(KernelCall& call) { sums::sum_as<DeviceReduction>(call.tensor(0), call.outputs[0], kAllDims); }
void sum_dims_cuda(KernelCall& call) {
  sums::sum_as<DeviceReduction>(call.tensor(0), call.outputs[0], sums::dims_of(call, 1));
}
void mean_cuda(KernelCall& call) { sums::sum_into<DeviceReduction>(call.tensor(0), call.outputs[0], kAllDims, true); }
void mean_dims_cuda(KernelCall& call) {
  sums::sum_into<DeviceReduction>(call.tensor(0), call.outputs[0], sums::dims_of(call, 1), true);
}
void prod_cuda(KernelCall& call) { sums::prod<DeviceReduction>(call.tensor(0), call.outputs[0], kAllDims); }
void prod_dim_cuda(KernelCall& call) {
  const int64_t dim[] = {call.integer(1)};
  sums::prod<DeviceReduction>(call.tensor(0), call.outputs[0], reduced_dims(dim, call.tensor(0).dim()));
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.sum.default", sum_cuda);
  cuda_module::attach(registry, "aten.sum.dim_IntList", sum_dims_cuda);
  cuda_module::attach(registry, "aten.mean.default", mean_cuda);
  cuda_module::attach(registry, "aten.mean.dim", mean_dims_cuda);
  cuda_module::attach(registry, "aten.nansum.default", sums::nansum<DeviceReduction>);
  cuda_module::attach(registry, "aten.prod.default", prod_cuda);
  cuda_module::attach(registry, "aten.prod.dim_int", prod_dim_cuda);
}

}  // namespace ersatz::op_sum
