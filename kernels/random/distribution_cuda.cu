#include "kernels/random/device_draw.h"
#include "kernels/random/draw_ops.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_distribution {

void attach_cuda(Registry& registry) {
  for (const char* name : {"aten.exponential.default", "aten.exponential_.default"}) {
    cuda_module::attach(registry, name, draw_ops::exponential<DeviceDraw>);
  }
  for (const char* name : {"aten.geometric.default", "aten.geometric_.default"}) {
    cuda_module::attach(registry, name, draw_ops::geometric<DeviceDraw>);
  }
  for (const char* name : {"aten.cauchy.default", "aten.cauchy_.default"}) {
    cuda_module::attach(registry, name, draw_ops::cauchy<DeviceDraw>);
  }
  for (const char* name : {"aten.log_normal.default", "aten.log_normal_.default"}) {
    cuda_module::attach(registry, name, draw_ops::log_normal<DeviceDraw>);
  }
}

}  // namespace ersatz::op_distribution
