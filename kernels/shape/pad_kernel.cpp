#include "kernels/shape/copy_block.h"
#include "kernels/shape/fill_elements.h"
#include "kernels/shape/pad.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_pad {

// Also the CUDA kernel.
void run(KernelCall& call) {
  const Tensor self = call.tensor(kConstantPadNd["self"]);
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const auto pad = call.ints(kConstantPadNd["pad"]);
  const auto from_strides = as_ints(self.strides()), to_strides = as_ints(out.strides());
  const int64_t item = int64_t(item_size(self.dtype()));
  InlineVec<int64_t, 8> sizes(as_ints(self.sizes()));
  const std::byte* from = self.raw_data();
  std::byte* to = out.raw_data();
  bool grows = false;
  for (size_t i = 0; i < pad.size(); i += 2) {
    const size_t dim = sizes.size() - 1 - i / 2;
    const int64_t before = pad[i], after = pad[i + 1];
    grows = grows || before > 0 || after > 0;
    sizes[dim] += std::min<int64_t>(before, 0) + std::min<int64_t>(after, 0);
    from += std::max<int64_t>(-before, 0) * from_strides[dim] * item;
    to += std::max<int64_t>(before, 0) * to_strides[dim] * item;
  }
  if (grows) fill_elements(out, call.scalar(kConstantPadNd["value"]));
  for (int64_t s : sizes) {
    if (s == 0) return;
  }
  copy_block(out.device(), sizes, to, out.dtype(), to_strides, from, self.dtype(), from_strides);
}

}  // namespace ersatz::op_pad
