#include "kernels/random/draw_ops.h"
#include "kernels/random/host_draw.h"

namespace ersatz::op_bernoulli {

void self_cpu(KernelCall& call) { draw_ops::bernoulli<HostDraw, 0, 1>(call); }
void tensor_cpu(KernelCall& call) { draw_ops::bernoulli<HostDraw, 1, 2>(call); }
void native_dropout_cpu(KernelCall& call) { draw_ops::native_dropout<HostDraw>(call); }

}  // namespace ersatz::op_bernoulli
