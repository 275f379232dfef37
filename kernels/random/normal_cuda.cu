// CUDA kernels of normal with a tensor of means or of standard deviations.
#include "kernels/random/device_draw.h"
#include "kernels/random/draw_ops.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_normal {

void attach_cuda(Registry& registry) {
  for (const char* name :
       {"aten.normal.Tensor_Tensor", "aten.normal.Tensor_Tensor_out", "aten.normal.Tensor_float",
        "aten.normal.Tensor_float_out", "aten.normal.float_Tensor", "aten.normal.float_Tensor_out"}) {
    cuda_module::attach(registry, name, draw_ops::normal_of_moments<DeviceDraw>);
  }
}

}  // namespace ersatz::op_normal
