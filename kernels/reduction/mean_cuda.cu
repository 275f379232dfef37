// mean on CUDA: the sum divided by the number of elements.
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/mean.h"
#include "kernels/reduction/summation.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_mean {
namespace {

void mean_cuda(KernelCall& call) {
  sums::sum_into<DeviceReduction>(call.tensor(kMean["self"]), call.outputs[0], kAllDims, true);
}
void mean_dims_cuda(KernelCall& call) {
  sums::sum_into<DeviceReduction>(call.tensor(kMeanDim["self"]), call.outputs[0], sums::dims_of(call, kMeanDim["dim"]),
                                  true);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.mean.default", mean_cuda);
  cuda_module::attach(registry, "aten.mean.dim", mean_dims_cuda);
}

}  // namespace ersatz::op_mean
