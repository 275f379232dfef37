#include "kernels/indexing/masked_fill.h"
#include "kernels/indexing/tensor_number.h"
#include "kernels/shape/broadcast.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_masked_fill {
namespace {

template <class T>
void fill_where(const Tensor& out, const bool* mask, const Scalar& value) {
  T element = value.to<T>();
  if constexpr (is_complex(dtype_of<T>)) {
    if (out.meta().conj) element = std::conj(element);
  }
  if constexpr (!std::is_same_v<T, bool>) {
    if (out.meta().neg) element = T(-element);
  }
  T* data = reinterpret_cast<T*>(out.raw_data());
  const auto sizes = as_ints(out.sizes()), strides = as_ints(out.strides());
  const int64_t rank = out.dim(), n = out.numel().as_int();
  InlineVec<int64_t, 8> at(static_cast<size_t>(rank), 0);
  for (int64_t e = 0; e < n; ++e) {
    if (mask[e]) *data = element;
    for (int64_t d = rank - 1; d >= 0; --d) {
      data += strides[d];
      if (++at[d] < sizes[d]) break;
      data -= strides[d] * sizes[d];
      at[d] = 0;
    }
  }
}

}  // namespace

void run_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const Tensor self = call.tensor(kEach["self"]);
  if (!self.is(out)) copy_elements(out, broadcast_view(self, out.sizes()));
  if (out.numel().as_int() == 0) return;
  const Scalar value = given_number(call, kEach["value"]);
  // The mask is copied to a row-major tensor, so that one loop serves all layouts.
  const Tensor mask = make_real_tensor(TensorMeta(DType::Bool, out.sizes()));
  copy_elements(mask, broadcast_view(call.tensor(kEach["mask"]), out.sizes()));
  dispatch_dtype<kAllDTypes>(out.dtype(), [&]<class T>() { fill_where<T>(out, mask.data<bool>(), value); });
}

}  // namespace ersatz::op_masked_fill
