#include "kernels/linalg/addmv.h"
#include "kernels/linalg/gemm.h"
#include "kernels/linalg/scaled_self.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_addmv {
void run_mv_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (call.tensor(kMv["self"]).numel().as_int() == 0) return fill_elements(out, 0);
  matrix_product(out.dtype(), matrix_view(call.tensor(kMv["self"])), column_view(call.tensor(kMv["vec"])),
                 column_view(out));
}

void run_addmv_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kAddmv["self"]), &out = call.outputs[0];
  const Scalar beta = call.scalar(kAddmv["beta"]), alpha = call.scalar(kAddmv["alpha"]);
  // An empty matrix: beta * self, whose sizes the output has or self expands to.
  if (call.tensor(kAddmv["mat"]).numel().as_int() == 0) return write_scaled_self(out, self, beta);
  const MatrixView to = column_view(out);
  if (to.rows == 0) return;
  if (beta.to_complex() != 0.0) {
    const bool spread = self.dim() == 0 || self.sizes()[0].as_int() == 1;
    copy_matrix(out.dtype(),
                {self.raw_data(), to.rows, 1, spread ? 0 : self.strides()[0].as_int(), 1, self.meta().conj}, to);
  }
  matrix_product(out.dtype(), matrix_view(call.tensor(kAddmv["mat"])), column_view(call.tensor(kAddmv["vec"])), to,
                 alpha, beta);
}

void run_dot_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  matrix_product(out.dtype(), column_view(call.tensor(kDot["self"])).transposed(),
                 column_view(call.tensor(kDot["tensor"])), {out.raw_data(), 1, 1, 1, 1, false});
}

}  // namespace ersatz::op_addmv
