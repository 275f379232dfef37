// CUDA kernels of bernoulli with a tensor of probabilities, and of native_dropout.
#include "kernels/random/device_draw.h"
#include "kernels/random/draw_ops.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_bernoulli {

void attach_cuda(Registry& registry) {
  constexpr FillKernel self = draw_ops::bernoulli<DeviceDraw, 0, 1>, by_tensor = draw_ops::bernoulli<DeviceDraw, 1, 2>;
  cuda_module::attach(registry, "aten.bernoulli.default", self);
  cuda_module::attach(registry, "aten.bernoulli.out", self);
  cuda_module::attach(registry, "aten.bernoulli.Tensor", by_tensor);
  cuda_module::attach(registry, "aten.bernoulli_.Tensor", by_tensor);
  cuda_module::attach(registry, "aten.native_dropout.default", draw_ops::native_dropout<DeviceDraw>);
}

}  // namespace ersatz::op_bernoulli
