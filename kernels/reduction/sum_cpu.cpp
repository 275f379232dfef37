#include "kernels/reduction/host_reduction.h"
#include "kernels/reduction/summation.h"

namespace ersatz::op_sum {

void run_cpu(KernelCall& call) { sums::sum_as<HostReduction>(call.tensor(0), call.outputs[0], kAllDims); }

void run_dims_cpu(KernelCall& call) {
  sums::sum_as<HostReduction>(call.tensor(0), call.outputs[0], sums::dims_of(call, 1));
}

}  // namespace ersatz::op_sum
