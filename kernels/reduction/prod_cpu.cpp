#include "kernels/reduction/host_reduction.h"
#include "kernels/reduction/prod.h"
#include "kernels/reduction/summation.h"

namespace ersatz::op_prod {

void run_cpu(KernelCall& call) { sums::prod<HostReduction>(call.tensor(kProd["self"]), call.outputs[0], kAllDims); }

void run_dim_cpu(KernelCall& call) {
  const int64_t dim[] = {call.integer(kProdDimInt["dim"])};
  sums::prod<HostReduction>(call.tensor(kProdDimInt["self"]), call.outputs[0],
                            reduced_dims(dim, call.tensor(kProdDimInt["self"]).dim()));
}

}  // namespace ersatz::op_prod
