#include "kernels/random/draw.h"
#include "runtime/kernel.h"

namespace ersatz::op_randint {

void high_cpu(KernelCall& call) { draw_integers(call.outputs[0], default_generator(kCPU), 0, call.integer(0)); }
void low_cpu(KernelCall& call) {
  draw_integers(call.outputs[0], default_generator(kCPU), call.integer(0), call.integer(1));
}

}  // namespace ersatz::op_randint
