#include "kernels/linalg/gemm.h"
#include "kernels/linalg/mm.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_mm {

void run_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (call.tensor(kMm["self"]).numel().as_int() == 0) return fill_elements(out, 0);
  matrix_product(out.dtype(), matrix_view(call.tensor(kMm["self"])), matrix_view(call.tensor(kMm["mat2"])),
                 matrix_view(out));
}

}  // namespace ersatz::op_mm
