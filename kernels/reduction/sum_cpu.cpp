#include "kernels/reduction/host_reduction.h"
#include "kernels/reduction/sum.h"
#include "kernels/reduction/summation.h"

namespace ersatz::op_sum {

void run_cpu(KernelCall& call) { sums::sum_as<HostReduction>(call.tensor(kSum["self"]), call.outputs[0], kAllDims); }

void run_dims_cpu(KernelCall& call) {
  sums::sum_as<HostReduction>(call.tensor(kSumDimIntList["self"]), call.outputs[0],
                              sums::dims_of(call, kSumDimIntList["dim"]));
}

}  // namespace ersatz::op_sum
