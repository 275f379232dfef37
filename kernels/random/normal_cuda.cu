// Normal numbers whose moments are tensors, on CUDA.
#include "kernels/random/device_draw.h"
#include "kernels/random/draw_ops.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_normal {

void attach_cuda(Registry& registry) {
  for (const char* overload : {"Tensor_Tensor", "Tensor_float", "float_Tensor"}) {
    cuda_module::attach(registry, fmt::format("aten.normal.{}", overload), draw_ops::normal_of_moments<DeviceDraw>);
    cuda_module::attach(registry, fmt::format("aten.normal.{}_out", overload), draw_ops::normal_of_moments<DeviceDraw>);
  }
}

}  // namespace ersatz::op_normal
