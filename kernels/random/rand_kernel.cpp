#include "kernels/random/draw.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_rand {

namespace {
Generator& generator(const KernelCall& call) {
  return generator_or_default(call.args[3].as_generator(), call.outputs[0].device());
}
}  // namespace

void run_rand(KernelCall& call) { draw_uniform(call.outputs[0], default_generator(call.outputs[0].device())); }
void run_randn(KernelCall& call) { draw_normal(call.outputs[0], default_generator(call.outputs[0].device())); }
void run_uniform(KernelCall& call) { draw_uniform(call.outputs[0], generator(call), call.real(1), call.real(2)); }
void run_normal(KernelCall& call) { draw_normal(call.outputs[0], generator(call), call.real(1), call.real(2)); }

}  // namespace ersatz::op_rand
