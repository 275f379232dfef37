#include "kernels/reduction/host_reduction.h"
#include "kernels/reduction/summation.h"

namespace ersatz::op_nansum {

void run_cpu(KernelCall& call) { sums::nansum<HostReduction>(call); }

}  // namespace ersatz::op_nansum
