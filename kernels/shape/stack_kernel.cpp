#include "kernels/shape/stack.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_stack {

void run(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  int64_t dim = call.integer(kStack["dim"]);
  if (dim < 0) dim += out.dim();
  TensorMeta part = out.meta();
  const SymInt stride = part.strides[dim];
  part.sizes.erase(dim);
  part.strides.erase(dim);
  for (const Value& v : call.list(kStack["tensors"])) {
    copy_elements(make_view(out, part), v.tensor());
    part.offset += stride;
  }
}

}  // namespace ersatz::op_stack
