// count_nonzero on CUDA.
#include "kernels/reduction/count_nonzero.h"
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/truth_folds.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_count_nonzero {
namespace {

void count_cuda(KernelCall& call) {
  folds::count_nonzero<DeviceReduction>(call, folds::dim_of(call, kCountNonzero["dim"]));
}
void count_dims_cuda(KernelCall& call) {
  folds::count_nonzero<DeviceReduction>(call, reduced_dims(call.ints(kCountNonzeroDimIntList["dim"]),
                                                           call.tensor(kCountNonzeroDimIntList["self"]).dim()));
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.count_nonzero.default", count_cuda);
  cuda_module::attach(registry, "aten.count_nonzero.dim_IntList", count_dims_cuda);
}

}  // namespace ersatz::op_count_nonzero
