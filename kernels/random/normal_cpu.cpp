#include "kernels/random/draw_ops.h"
#include "kernels/random/host_draw.h"

namespace ersatz::op_normal {

void moments_cpu(KernelCall& call) { draw_ops::normal_of_moments<HostDraw>(call); }

}  // namespace ersatz::op_normal
