#include "kernels/reduction/softmax_rows.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_softmax {

void run_softmax_cpu(KernelCall& call) {
  softmax_into(call.tensor(0), call.outputs[0], call.integer(1), SoftmaxKind::Probabilities);
}
void run_log_softmax_cpu(KernelCall& call) {
  softmax_into(call.tensor(0), call.outputs[0], call.integer(1), SoftmaxKind::Logarithms);
}

}  // namespace ersatz::op_softmax
