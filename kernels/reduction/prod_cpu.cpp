#include "kernels/reduction/host_reduction.h"
#include "kernels/reduction/summation.h"

namespace ersatz::op_prod {

void run_cpu(KernelCall& call) { sums::prod<HostReduction>(call.tensor(0), call.outputs[0], kAllDims); }

void run_dim_cpu(KernelCall& call) {
  const int64_t dim[] = {call.integer(1)};
  sums::prod<HostReduction>(call.tensor(0), call.outputs[0], reduced_dims(dim, call.tensor(0).dim()));
}

}  // namespace ersatz::op_prod
