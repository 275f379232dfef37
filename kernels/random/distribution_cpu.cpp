#include "kernels/random/draw_ops.h"
#include "kernels/random/host_draw.h"

namespace ersatz::op_distribution {

void exponential_cpu(KernelCall& call) { draw_ops::exponential<HostDraw>(call); }
void geometric_cpu(KernelCall& call) { draw_ops::geometric<HostDraw>(call); }
void cauchy_cpu(KernelCall& call) { draw_ops::cauchy<HostDraw>(call); }
void log_normal_cpu(KernelCall& call) { draw_ops::log_normal<HostDraw>(call); }

}  // namespace ersatz::op_distribution
