#include "kernels/random/draw.h"
#include "runtime/kernel.h"

namespace ersatz::op_rand {

void rand_cpu(KernelCall& call) { draw_uniform(call.outputs[0], default_generator(kCPU)); }
void randn_cpu(KernelCall& call) { draw_normal(call.outputs[0], default_generator(kCPU)); }
void uniform_cpu(KernelCall& call) {
  draw_uniform(call.outputs[0], generator_or_default(call.args[3].as_generator()), call.real(1), call.real(2));
}
void normal_cpu(KernelCall& call) {
  draw_normal(call.outputs[0], generator_or_default(call.args[3].as_generator()), call.real(1), call.real(2));
}

}  // namespace ersatz::op_rand
