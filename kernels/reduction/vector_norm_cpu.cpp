#include "kernels/reduction/float_folds.h"
#include "kernels/reduction/host_reduction.h"

namespace ersatz::op_vector_norm {

void run_cpu(KernelCall& call) { folds::vector_norm<HostReduction>(call); }

}  // namespace ersatz::op_vector_norm
