#include "kernels/reduction/host_reduction.h"
#include "kernels/reduction/moment_folds.h"

namespace ersatz::op_variance {

void run_var_cpu(KernelCall& call) { folds::variance<HostReduction, false>(call); }
void run_std_cpu(KernelCall& call) { folds::variance<HostReduction, true>(call); }

}  // namespace ersatz::op_variance
