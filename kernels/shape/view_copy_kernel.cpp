#include "kernels/dense_operand.h"
#include "kernels/shape/view_copy.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_view_copy {

// The view op's rule says what of self each output shows.
void run(KernelCall& call, const OpEntry& view) {
  RuleResult views;
  run_rule(view, call.args, views);
  for (size_t k = 0; k < call.outputs.size(); ++k) {
    copy_elements(call.outputs[k], make_view(call.tensor(kEach["self"]), std::move(views.outputs[k].meta)));
  }
}

// The elements in row-major order under other sizes: a row-major output is written through a view of self's sizes.
void run_view(KernelCall& call) {
  static constexpr Schemas kArgs{kViewCopy, kUnsafeViewOut};
  DenseOutput out(call.outputs[0]);
  TensorMeta meta = out.tensor.meta();
  meta.sizes = DimVec(call.tensor(kArgs["self"]).sizes());
  meta.strides = contiguous_strides(meta.sizes);
  copy_elements(make_view(out.tensor, std::move(meta)), call.tensor(kArgs["self"]));
  out.finish();
}

void run_narrow(KernelCall& call) {
  const Tensor self = call.tensor(kNarrowCopy["self"]);
  const size_t dim =
      static_cast<size_t>(call.integer(kNarrowCopy["dim"]) + (call.integer(kNarrowCopy["dim"]) < 0 ? self.dim() : 0));
  int64_t start = call.integer(kNarrowCopy["start"]);
  if (start < 0) start += self.sizes()[dim].as_int();
  TensorMeta part = self.meta();
  part.sizes[dim] = call.outputs[0].sizes()[dim];
  part.offset += SymInt(start) * part.strides[dim];
  copy_elements(call.outputs[0], make_view(self, std::move(part)));
}

}  // namespace ersatz::op_view_copy
