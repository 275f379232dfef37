// sum, mean, nansum and prod on CUDA: the structs of summation.h in the device's engine.
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/mean.h"
#include "kernels/reduction/prod.h"
#include "kernels/reduction/sum.h"
#include "kernels/reduction/summation.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_sum {
namespace {

void sum_cuda(KernelCall& call) { sums::sum_as<DeviceReduction>(call.tensor(kSum["self"]), call.outputs[0], kAllDims); }
void sum_dims_cuda(KernelCall& call) {
  sums::sum_as<DeviceReduction>(call.tensor(kSumDimIntList["self"]), call.outputs[0],
                                sums::dims_of(call, kSumDimIntList["dim"]));
}
void mean_cuda(KernelCall& call) {
  sums::sum_into<DeviceReduction>(call.tensor(op_mean::kMean["self"]), call.outputs[0], kAllDims, true);
}
void mean_dims_cuda(KernelCall& call) {
  sums::sum_into<DeviceReduction>(call.tensor(op_mean::kMeanDim["self"]), call.outputs[0],
                                  sums::dims_of(call, op_mean::kMeanDim["dim"]), true);
}
void prod_cuda(KernelCall& call) {
  sums::prod<DeviceReduction>(call.tensor(op_prod::kProd["self"]), call.outputs[0], kAllDims);
}
void prod_dim_cuda(KernelCall& call) {
  const int64_t dim[] = {call.integer(op_prod::kProdDimInt["dim"])};
  sums::prod<DeviceReduction>(call.tensor(op_prod::kProdDimInt["self"]), call.outputs[0],
                              reduced_dims(dim, call.tensor(op_prod::kProdDimInt["self"]).dim()));
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
