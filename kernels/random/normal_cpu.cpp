#include "kernels/random/draw_ops.h"
#include "kernels/random/host_draw.h"

namespace ersatz::op_normal {

void moments_cpu(KernelCall& call) { draw_ops::normal_of_moments<HostDraw>(call); }

// These serve CUDA too.
void sized_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  draw_normal(out, generator_or_default(call.args[3].as_generator(), out.device()), call.real(0), call.real(1));
}
void like_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  draw_normal(out, generator_or_default(call.args[3].as_generator(), out.device()), call.real(1), call.real(2));
}

}  // namespace ersatz::op_normal
