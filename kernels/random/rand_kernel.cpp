#include "kernels/random/draw.h"
#include "kernels/random/rand.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_rand {

namespace {
Generator& generator(const KernelCall& call) {
  return generator_or_default(call[kDraws["generator"]].as_generator(), call.outputs[0].device());
}
}  // namespace

void run_rand(KernelCall& call) { draw_uniform(call.outputs[0], default_generator(call.outputs[0].device())); }
void run_randn(KernelCall& call) { draw_normal(call.outputs[0], default_generator(call.outputs[0].device())); }
void run_uniform(KernelCall& call) {
  draw_uniform(call.outputs[0], generator(call), call.real(kUniform["from"]), call.real(kUniform["to"]));
}
void run_normal(KernelCall& call) {
  draw_normal(call.outputs[0], generator(call), call.real(kNormalInplace["mean"]), call.real(kNormalInplace["std"]));
}

}  // namespace ersatz::op_rand
