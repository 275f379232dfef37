#include "kernels/reduction/summation.h"
#include "runtime/kernel.h"

namespace ersatz::op_sum {
namespace {

/// Sums come out as i64, float or complex; another dtype that was asked for is converted to.
void sum_as(const Tensor& in, const Tensor& out, DimMask mask) {
  if (is_integral(out.dtype()) && out.dtype() != DType::I64) {
    // A sum in i8 of f32 elements truncates each element, then wraps around.
    Tensor narrow = make_real_tensor(TensorMeta(out.dtype(), in.sizes()));
    copy_elements(narrow, in);
    Tensor wide = make_real_tensor(TensorMeta(DType::I64, out.sizes()));
    sum_into(narrow, wide, mask, false);
    copy_elements(out, wide);
    return;
  }
  sum_into(in, out, mask, false);
}

}  // namespace

void run_cpu(KernelCall& call) { sum_as(call.tensor(0), call.outputs[0], kAllDims); }

void run_dims_cpu(KernelCall& call) {
  const Tensor in = call.tensor(0);
  sum_as(in, call.outputs[0], call.has(1) ? reduced_dims(call.ints(1), in.dim()) : kAllDims);
}

}  // namespace ersatz::op_sum
