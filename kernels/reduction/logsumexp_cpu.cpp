#include "kernels/reduction/float_folds.h"
#include "kernels/reduction/reduce_loops.h"

namespace ersatz::op_logsumexp {

void run_cpu(KernelCall& call) { folds::logsumexp<HostReduction>(call); }

}  // namespace ersatz::op_logsumexp
