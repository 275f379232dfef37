#include "kernels/reduction/host_reduction.h"
#include "kernels/reduction/mean.h"
#include "kernels/reduction/summation.h"

namespace ersatz::op_mean {

void run_cpu(KernelCall& call) {
  sums::sum_into<HostReduction>(call.tensor(kMean["self"]), call.outputs[0], kAllDims, true);
}

void run_dims_cpu(KernelCall& call) {
  sums::sum_into<HostReduction>(call.tensor(kMeanDim["self"]), call.outputs[0], sums::dims_of(call, kMeanDim["dim"]),
                                true);
}

}  // namespace ersatz::op_mean
