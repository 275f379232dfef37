#include "kernels/reduction/softmax.h"
#include "kernels/reduction/softmax_rows.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_softmax {

void run_softmax_cpu(KernelCall& call) {
  static constexpr Schemas kArgs{kSoftmaxInt, kSoftmax};
  softmax_into(call.tensor(kArgs["self"]), call.outputs[0], call.integer(kArgs["dim"]), SoftmaxKind::Probabilities);
}
void run_log_softmax_cpu(KernelCall& call) {
  static constexpr Schemas kArgs{kSoftmaxInt, kLogSoftmax};
  softmax_into(call.tensor(kArgs["self"]), call.outputs[0], call.integer(kArgs["dim"]), SoftmaxKind::Logarithms);
}

}  // namespace ersatz::op_softmax
