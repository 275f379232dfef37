#include "kernels/reduction/count_nonzero.h"
#include "kernels/reduction/host_reduction.h"
#include "kernels/reduction/truth_folds.h"

namespace ersatz::op_count_nonzero {

void run_cpu(KernelCall& call) { folds::count_nonzero<HostReduction>(call, folds::dim_of(call, kCountNonzero["dim"])); }

void run_dims_cpu(KernelCall& call) {
  folds::count_nonzero<HostReduction>(call, reduced_dims(call.ints(kCountNonzeroDimIntList["dim"]),
                                                         call.tensor(kCountNonzeroDimIntList["self"]).dim()));
}

}  // namespace ersatz::op_count_nonzero
