#include "kernels/pointwise/copy_engine.h"
#include "runtime/kernel.h"

namespace ersatz::op_flip {

// A flipped dim is read from its last element backwards: a copy with a negative stride.
void run_cpu(KernelCall& call) {
  const Tensor self = call.tensor(0);
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const std::byte* from = self.raw_data();
  const auto sizes = as_ints(self.sizes()), strides = as_ints(self.strides());
  InlineVec<int64_t, 8> steps(strides);
  for (int64_t d : call.ints(1)) {
    if (self.dim() == 0) continue;
    const size_t dim = static_cast<size_t>(d < 0 ? d + self.dim() : d);
    from += (sizes[dim] - 1) * strides[dim] * item_size(self.dtype());
    steps[dim] = -strides[dim];
  }
  pointwise::copy_strided(sizes, out.raw_data(), out.dtype(), as_ints(out.strides()), from, self.dtype(), steps);
}

}  // namespace ersatz::op_flip
