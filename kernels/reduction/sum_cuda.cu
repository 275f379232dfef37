// sum on CUDA: runs Summation (summation.h) in the reduction engine of the device.
#include "kernels/reduction/device_reduce.h"
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

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.sum.default", sum_cuda);
  cuda_module::attach(registry, "aten.sum.dim_IntList", sum_dims_cuda);
}

}  // namespace ersatz::op_sum
