#include "kernels/linalg/device_product.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_addmm {
namespace {

void run_cuda(KernelCall& call) {
  const Tensor self = call.tensor(0), a = call.tensor(1), b = call.tensor(2), &out = call.outputs[0];
  const Scalar beta = call.scalar(3), alpha = call.scalar(4);
  if (a.numel().as_int() == 0 || b.numel().as_int() == 0) return write_scaled_self_on_device(out, self, beta);
  device_product_onto(call.context, self, {a}, {b}, {out}, beta, alpha);
}

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach(registry, "aten.addmm.default", run_cuda); }

}  // namespace ersatz::op_addmm
