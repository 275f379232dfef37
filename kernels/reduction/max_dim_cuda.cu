// max and min along a dim, with indices, on CUDA.
#include "kernels/reduction/device_extreme.h"
#include "kernels/reduction/max_dim.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_max_dim {
namespace {

template <bool Largest>
void dim_cuda(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const Tensor in = call.tensor(kMaxDim["self"]).meta().neg ? dense_input(call.tensor(kMaxDim["self"]))
                                                            : call.tensor(kMaxDim["self"]);
  DenseOutput values(call.outputs[0]);
  device_reduce::find_extremes(Largest, in, &values.tensor, call.outputs[1], folds::dim_of(call, kMaxDim["dim"]));
  values.finish();
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.max.dim", dim_cuda<true>);
  cuda_module::attach(registry, "aten.min.dim", dim_cuda<false>);
}

}  // namespace ersatz::op_max_dim
