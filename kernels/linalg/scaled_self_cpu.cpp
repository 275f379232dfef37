#include "kernels/linalg/scaled_self.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"

namespace ersatz {
namespace {

template <class T>
void scale(const Tensor& dense, const Scalar& beta) {
  T* v = dense.data<T>();
  const T factor = beta.to<T>();
  const int64_t n = dense.numel().as_int();
  for (int64_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<T, bool>) {
      v[i] = v[i] && factor;
    } else {
      v[i] = static_cast<T>(v[i] * factor);
    }
  }
}

}  // namespace

void write_scaled_self(const Tensor& out, const Tensor& self, const Scalar& beta) {
  if (beta.to_complex() == 0.0) return fill_elements(out, 0);
  if (out.numel().as_int() == 0) return;
  const Tensor dense = make_real_tensor(TensorMeta(out.dtype(), out.sizes()));
  copy_elements(dense, broadcast_view(self, out.sizes()));
  dispatch_dtype<kAllDTypes>(out.dtype(), [&]<class T>() { scale<T>(dense, beta); });
  copy_elements(out, dense);
}

}  // namespace ersatz
