#include "kernels/random/draw.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_normal {

void run_sized(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  draw_normal(out, generator_or_default(call.args[3].as_generator(), out.device()), call.real(0), call.real(1));
}
void run_like(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  draw_normal(out, generator_or_default(call.args[3].as_generator(), out.device()), call.real(1), call.real(2));
}

}  // namespace ersatz::op_normal
