#include "kernels/reduction/host_reduction.h"
#include "kernels/reduction/truth_folds.h"

namespace ersatz::op_count_nonzero {

void run_cpu(KernelCall& call) { folds::count_nonzero<HostReduction>(call, folds::dim_of(call, 1)); }

void run_dims_cpu(KernelCall& call) {
  folds::count_nonzero<HostReduction>(call, reduced_dims(call.ints(1), call.tensor(0).dim()));
}

}  // namespace ersatz::op_count_nonzero
