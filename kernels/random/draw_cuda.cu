#include "kernels/random/device_draw.h"
#include "kernels/random/draw_ops.h"
#include "runtime/op/registry.h"

namespace ersatz::op_draw {

void attach_cuda(Registry&) { device_draws() = draw_ops::table<DeviceDraw>(); }

}  // namespace ersatz::op_draw
