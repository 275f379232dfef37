#include "kernels/linalg/addmm.h"
#include "kernels/linalg/device_product.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_addmm {
namespace {

void run_cuda(KernelCall& call) {
  const Tensor self = call.tensor(kAddmm["self"]), a = call.tensor(kAddmm["mat1"]), b = call.tensor(kAddmm["mat2"]),
               &out = call.outputs[0];
  const Scalar beta = call.scalar(kAddmm["beta"]), alpha = call.scalar(kAddmm["alpha"]);
  if (a.numel().as_int() == 0 || b.numel().as_int() == 0) return write_scaled_self_on_device(out, self, beta);
  device_product_onto(call.context, self, {a}, {b}, {out}, beta, alpha);
}

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach(registry, "aten.addmm.default", run_cuda); }

}  // namespace ersatz::op_addmm
