// any, all and count_nonzero on CUDA.
#include "kernels/reduction/count_nonzero.h"
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/truth_folds.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_any_all {
namespace {

void count_cuda(KernelCall& call) {
  folds::count_nonzero<DeviceReduction>(call, folds::dim_of(call, op_count_nonzero::kCountNonzero["dim"]));
}
void count_dims_cuda(KernelCall& call) {
  folds::count_nonzero<DeviceReduction>(
      call, reduced_dims(call.ints(op_count_nonzero::kCountNonzeroDimIntList["dim"]),
                         call.tensor(op_count_nonzero::kCountNonzeroDimIntList["self"]).dim()));
}

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* name : {"aten.any.default", "aten.any.dim", "aten.any.dims"}) {
    cuda_module::attach(registry, name, folds::any_all<DeviceReduction, true>);
  }
  for (const char* name : {"aten.all.default", "aten.all.dim", "aten.all.dims"}) {
    cuda_module::attach(registry, name, folds::any_all<DeviceReduction, false>);
  }
  cuda_module::attach(registry, "aten.count_nonzero.default", count_cuda);
  cuda_module::attach(registry, "aten.count_nonzero.dim_IntList", count_dims_cuda);
}

}  // namespace ersatz::op_any_all
