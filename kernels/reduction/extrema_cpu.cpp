#include "kernels/reduction/host_reduction.h"
#include "kernels/reduction/truth_folds.h"

namespace ersatz::op_extrema {

void run_amax_cpu(KernelCall& call) { folds::extremum_over_dims<HostReduction, true>(call); }
void run_amin_cpu(KernelCall& call) { folds::extremum_over_dims<HostReduction, false>(call); }
void run_max_cpu(KernelCall& call) { folds::extremum_of_all<HostReduction, true>(call); }
void run_min_cpu(KernelCall& call) { folds::extremum_of_all<HostReduction, false>(call); }
void run_aminmax_cpu(KernelCall& call) { folds::aminmax<HostReduction>(call); }

}  // namespace ersatz::op_extrema
