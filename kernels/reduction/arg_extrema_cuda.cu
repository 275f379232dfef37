// argmax and argmin on CUDA.
#include "kernels/reduction/arg_extrema.h"
#include "kernels/reduction/device_extreme.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_arg_extrema {
namespace {

template <bool Largest>
void arg_cuda(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  // Without `dim` the result is an index in row-major order, so the input is first copied to row-major memory.
  const bool as_it_is = call.has(kEach["dim"]) && !call.tensor(kEach["self"]).meta().neg;
  device_reduce::find_extremes(Largest, as_it_is ? call.tensor(kEach["self"]) : dense_input(call.tensor(kEach["self"])),
                               nullptr, out, folds::dim_of(call, kEach["dim"]));
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.argmax.default", arg_cuda<true>);
  cuda_module::attach(registry, "aten.argmin.default", arg_cuda<false>);
}

}  // namespace ersatz::op_arg_extrema
