#include "kernels/shape/copy_flipped.h"
#include "kernels/shape/copy_block.h"
#include "runtime/op/copy.h"

namespace ersatz {
namespace {

bool is_lazy(const Tensor& t) { return t.meta().conj || t.meta().neg; }
Tensor plain_like(const Tensor& t) { return make_real_tensor(TensorMeta(t.dtype(), t.sizes(), t.device())); }

}  // namespace

// Reads a flipped dim backwards, with a negative stride. A tensor with a conjugate or negation bit is copied first,
// because the copy with negative strides cannot apply these bits.
void copy_flipped(const Tensor& out, const Tensor& self, const DimSet& dims) {
  if (out.numel().as_int() == 0) return;
  if (is_lazy(self)) {
    const Tensor plain = plain_like(self);
    copy_elements(plain, self);
    return copy_flipped(out, plain, dims);
  }
  if (is_lazy(out)) {
    const Tensor plain = plain_like(out);
    copy_flipped(plain, self, dims);
    return copy_elements(out, plain);
  }
  const std::byte* from = self.raw_data();
  const auto sizes = as_ints(self.sizes()), strides = as_ints(self.strides());
  InlineVec<int64_t, 8> steps(strides);
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (!dims.has(d)) continue;
    const size_t at = static_cast<size_t>(d);
    from += (sizes[at] - 1) * strides[at] * item_size(self.dtype());
    steps[at] = -strides[at];
  }
  copy_block(out.device(), sizes, out.raw_data(), out.dtype(), as_ints(out.strides()), from, self.dtype(), steps);
}

}  // namespace ersatz
