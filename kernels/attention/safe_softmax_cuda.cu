// safe_softmax on CUDA.
#include "kernels/attention/safe_softmax.h"
#include "kernels/reduction/softmax_rows.h"
#include "runtime/cuda/attach.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_safe_softmax {
namespace {

void run_cuda(KernelCall& call) {
  softmax_on_device(call.tensor(kSafeSoftmax["self"]), call.outputs[0], call.integer(kSafeSoftmax["dim"]),
                    SoftmaxKind::HiddenRowsAreZero);
}

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach(registry, "aten._safe_softmax.default", run_cuda); }

}  // namespace ersatz::op_safe_softmax
