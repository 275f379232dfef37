#include "kernels/random/draw.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_bernoulli {

void run_number(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  draw_bernoulli(out, generator_or_default(call.args[2].as_generator(), out.device()), call.real(1));
}

}  // namespace ersatz::op_bernoulli
