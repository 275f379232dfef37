#include "kernels/linalg/bmm.h"
#include "kernels/linalg/device_product.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_bmm {
namespace {

void run_cuda(KernelCall& call) {
  const Tensor a = call.tensor(kBmm["self"]), b = call.tensor(kBmm["mat2"]), &out = call.outputs[0];
  if (a.numel().as_int() == 0 || b.numel().as_int() == 0) return write_zeros(out);
  device_product(call.context, {a}, {b}, {out});
}

void run_baddbmm_cuda(KernelCall& call) {
  const Tensor self = call.tensor(kBaddbmm["self"]), a = call.tensor(kBaddbmm["batch1"]),
               b = call.tensor(kBaddbmm["batch2"]), &out = call.outputs[0];
  const Scalar beta = call.scalar(kBaddbmm["beta"]), alpha = call.scalar(kBaddbmm["alpha"]);
  if (a.numel().as_int() == 0 || b.numel().as_int() == 0) return write_scaled_self_on_device(out, self, beta);
  device_product_onto(call.context, self, {a}, {b}, {out}, beta, alpha);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.bmm.default", run_cuda);
  cuda_module::attach(registry, "aten.baddbmm.default", run_baddbmm_cuda);
}

}  // namespace ersatz::op_bmm
