#include <cmath>

#include "kernels/creation/complex.h"
#include "kernels/shape/broadcast.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_complex {
namespace {

/// Returns the operand broadcast to `sizes` and row-major. f16 is converted to f32.
Tensor spread(const Tensor& t, std::span<const SymInt> sizes) {
  const DType dtype = t.dtype() == DType::F16 ? DType::F32 : t.dtype();
  const Tensor dense = make_real_tensor(TensorMeta(dtype, sizes));
  copy_elements(dense, broadcast_view(t, sizes));
  return dense;
}

template <bool polar, class T>
void combine(const Tensor& out, const T* a, const T* b, int64_t n) {
  std::complex<T>* to = out.data<std::complex<T>>();
  parallel_for(n, 1 << 14, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if constexpr (polar) {
        to[i] = {a[i] * std::cos(b[i]), a[i] * std::sin(b[i])};
      } else {
        to[i] = {a[i], b[i]};
      }
    }
  });
}

template <bool polar>
void run(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const int64_t n = out.numel().as_int();
  if (n == 0) return;
  const Tensor a = spread(call.tensor(kPair["{0}"]), out.sizes()), b = spread(call.tensor(kPair["{1}"]), out.sizes());
  const DType computed = complex_dtype(a.dtype());
  const bool direct = out.dtype() == computed && out.is_contiguous() && !out.meta().conj && !out.meta().neg;
  const Tensor dense = direct ? out : make_real_tensor(TensorMeta(computed, out.sizes()));
  constexpr DTypeSet wide{DType::F32, DType::F64};
  dispatch_dtype<wide>(a.dtype(), [&]<class T>() { combine<polar, T>(dense, a.data<T>(), b.data<T>(), n); });
  if (!direct) copy_elements(out, dense);
}

}  // namespace

void complex_cpu(KernelCall& call) { run<false>(call); }
void polar_cpu(KernelCall& call) { run<true>(call); }

}  // namespace ersatz::op_complex
