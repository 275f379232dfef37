#include "kernels/reduction/float_folds.h"
#include "kernels/reduction/host_reduction.h"

namespace ersatz::op_logsumexp {

void run_cpu(KernelCall& call) { folds::logsumexp<HostReduction>(call); }

}  // namespace ersatz::op_logsumexp
