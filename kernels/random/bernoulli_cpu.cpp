#include "kernels/random/draw_ops.h"
#include "kernels/random/host_draw.h"

namespace ersatz::op_bernoulli {

void self_cpu(KernelCall& call) { draw_ops::bernoulli<HostDraw, 0, 1>(call); }
void tensor_cpu(KernelCall& call) { draw_ops::bernoulli<HostDraw, 1, 2>(call); }
void native_dropout_cpu(KernelCall& call) { draw_ops::native_dropout<HostDraw>(call); }

// Serves CUDA too.
void number_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  draw_bernoulli(out, generator_or_default(call.args[2].as_generator(), out.device()), call.real(1));
}

}  // namespace ersatz::op_bernoulli
