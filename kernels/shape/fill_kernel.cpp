#include "kernels/shape/broadcast.h"
#include "kernels/shape/fill.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_fill {

void run_scalar(KernelCall& call) { fill_elements(call.outputs[0], call.scalar(kWithNumber["value"])); }

void run_zero(KernelCall& call) { fill_elements(call.outputs[0], 0); }

void run_tensor(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  Tensor value = call.tensor(kWithTensor["value"]);
  if (value.shares_storage(out) || value.device() != out.device()) {
    Tensor saved = make_real_tensor(TensorMeta(value.dtype(), std::span<const SymInt>(), out.device()));
    copy_elements(saved, value);
    value = std::move(saved);
  }
  copy_elements(out, broadcast_view(value, out.sizes()));
}

}  // namespace ersatz::op_fill
