#include "kernels/random/device_draw.h"
#include "kernels/random/draw_ops.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_distribution {

void attach_cuda(Registry& registry) {
  struct Entry {
    const char* name;
    FillKernel kernel;
  };
  for (const Entry& e :
       {Entry{"exponential", draw_ops::exponential<DeviceDraw>}, Entry{"geometric", draw_ops::geometric<DeviceDraw>},
        Entry{"cauchy", draw_ops::cauchy<DeviceDraw>}, Entry{"log_normal", draw_ops::log_normal<DeviceDraw>}}) {
    cuda_module::attach(registry, fmt::format("aten.{}.default", e.name), e.kernel);
    cuda_module::attach(registry, fmt::format("aten.{}_.default", e.name), e.kernel);
  }
}

}  // namespace ersatz::op_distribution
