#include "kernels/reduction/host_reduction.h"
#include "kernels/reduction/truth_folds.h"

namespace ersatz::op_any_all {

void run_any_cpu(KernelCall& call) { folds::any_all<HostReduction, true>(call); }
void run_all_cpu(KernelCall& call) { folds::any_all<HostReduction, false>(call); }

}  // namespace ersatz::op_any_all
