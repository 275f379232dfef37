#include "kernels/linalg/addmm.h"
#include "kernels/linalg/gemm.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_addmm {

void run_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kAddmm["self"]), &out = call.outputs[0];
  const Scalar beta = call.scalar(kAddmm["beta"]), alpha = call.scalar(kAddmm["alpha"]);
  const MatrixView to = matrix_view(out);
  if (to.rows == 0 || to.cols == 0) return;
  if (beta.to_complex() != 0.0) {
    // self, expanded: dims of size 1 and missing dims have stride 0.
    MatrixView from{self.raw_data(), to.rows, to.cols, 0, 0, self.meta().conj};
    const size_t d = self.sizes().size();
    if (d >= 1 && self.sizes()[d - 1].as_int() != 1) from.col_stride = self.strides()[d - 1].as_int();
    if (d == 2 && self.sizes()[0].as_int() != 1) from.row_stride = self.strides()[0].as_int();
    copy_matrix(out.dtype(), from, to);
  }
  matrix_product(out.dtype(), matrix_view(call.tensor(kAddmm["mat1"])), matrix_view(call.tensor(kAddmm["mat2"])), to,
                 alpha, beta);
}

}  // namespace ersatz::op_addmm
