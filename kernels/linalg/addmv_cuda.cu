#include "kernels/linalg/addmv.h"
#include "kernels/linalg/device_product.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_addmv {
namespace {

void run_mv_cuda(KernelCall& call) {
  const Tensor mat = call.tensor(kMv["self"]), vec = call.tensor(kMv["vec"]), &out = call.outputs[0];
  if (mat.numel().as_int() == 0) return write_zeros(out);
  device_product(call.context, {mat}, {vec}, {out});
}

void run_addmv_cuda(KernelCall& call) {
  const Tensor self = call.tensor(kAddmv["self"]), mat = call.tensor(kAddmv["mat"]), vec = call.tensor(kAddmv["vec"]),
               &out = call.outputs[0];
  const Scalar beta = call.scalar(kAddmv["beta"]), alpha = call.scalar(kAddmv["alpha"]);
  // If the matrix is empty, the result is beta * self, broadcast to the sizes of the output.
  if (mat.numel().as_int() == 0) return write_scaled_self_on_device(out, self, beta);
  if (beta.to_complex() != 0.0) copy_elements(out, broadcast_view(self, out.sizes()));
  device_product(call.context, {mat}, {vec}, {out}, {alpha, beta, Tensor()});
}

void run_dot_cuda(KernelCall& call) {
  const Tensor a = call.tensor(kDot["self"]), b = call.tensor(kDot["tensor"]), &out = call.outputs[0];
  if (a.numel().as_int() == 0) return write_zeros(out);
  device_product(call.context, {a, true}, {b}, {out});
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.mv.default", run_mv_cuda);
  cuda_module::attach(registry, "aten.addmv.default", run_addmv_cuda);
  cuda_module::attach(registry, "aten.dot.default", run_dot_cuda);
}

}  // namespace ersatz::op_addmv
