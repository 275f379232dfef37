#include "kernels/shape/fill_elements.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_eye {

void run(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  fill_elements(out, 0);
  TensorMeta diagonal = out.meta();
  const SymInt n[] = {sym_min(out.sizes()[0], out.sizes()[1])}, step[] = {out.strides()[0] + out.strides()[1]};
  diagonal.sizes = DimVec(n);
  diagonal.strides = DimVec(step);
  fill_elements(make_view(out, std::move(diagonal)), 1);
}

}  // namespace ersatz::op_eye
