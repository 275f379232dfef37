#include "kernels/attention/safe_softmax.h"
#include "kernels/reduction/softmax_rows.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_safe_softmax {

void run_cpu(KernelCall& call) {
  softmax_into(call.tensor(kSafeSoftmax["self"]), call.outputs[0], call.integer(kSafeSoftmax["dim"]),
               SoftmaxKind::HiddenRowsAreZero);
}

}  // namespace ersatz::op_safe_softmax
