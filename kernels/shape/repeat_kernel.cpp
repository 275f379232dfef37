#include "kernels/shape/repeat.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_repeat {

// Both as tensors of twice the dims, (repeat, size) for each: self does not move along a repeat.
void run(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const Tensor self = call.tensor(kRepeat["self"]);
  if (out.numel().as_int() == 0) return;
  const std::span<const SymInt> repeats = call[kRepeat["repeats"]].as_ints();
  const size_t added = repeats.size() - self.sizes().size();
  TensorMeta to = out.meta(), from = self.meta();
  for (TensorMeta* t : {&to, &from}) {
    t->sizes.clear();
    t->strides.clear();
  }
  for (size_t d = 0; d < repeats.size(); ++d) {
    const SymInt size = d < added ? SymInt(1) : self.sizes()[d - added];
    const SymInt step = d < added ? SymInt(0) : self.strides()[d - added];
    for (TensorMeta* t : {&to, &from}) {
      t->sizes.push_back(repeats[d]);
      t->sizes.push_back(size);
    }
    to.strides.push_back(out.strides()[d] * size);
    to.strides.push_back(out.strides()[d]);
    from.strides.push_back(0);
    from.strides.push_back(step);
  }
  copy_elements(make_view(out, std::move(to)), make_view(self, std::move(from)));
}

}  // namespace ersatz::op_repeat
