#include "kernels/reduction/summation.h"
#include "runtime/kernel.h"

namespace ersatz::op_mean {

void run_cpu(KernelCall& call) { sum_into(call.tensor(0), call.outputs[0], kAllDims, true); }

void run_dims_cpu(KernelCall& call) {
  const Tensor in = call.tensor(0);
  sum_into(in, call.outputs[0], call.has(1) ? reduced_dims(call.ints(1), in.dim()) : kAllDims, true);
}

}  // namespace ersatz::op_mean
