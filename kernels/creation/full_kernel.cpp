#include "kernels/creation/full.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_full {

void run_zeros(KernelCall& call) { fill_elements(call.outputs[0], 0); }
void run_ones(KernelCall& call) { fill_elements(call.outputs[0], 1); }
void run_full(KernelCall& call) {
  static constexpr Schemas kArgs{kFull, kFullOut, kFullLike, kFullLikeOut};
  fill_elements(call.outputs[0], call.scalar(kArgs["fill_value"]));
}
void run_new_full(KernelCall& call) {
  static constexpr Schemas kArgs{kNewFull, kNewFullOut};
  fill_elements(call.outputs[0], call.scalar(kArgs["fill_value"]));
}
void run_scalar(KernelCall& call) {
  static constexpr Schemas kArgs{kScalarTensor, kScalarTensorOut};
  fill_elements(call.outputs[0], call.scalar(kArgs["s"]));
}

}  // namespace ersatz::op_full
