#include <cmath>

#include "kernels/dense_operand.h"
#include "kernels/indexing/tensor_number.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/dtype_switch.h"
#include "runtime/parallel.h"

namespace ersatz::op_linspace {
namespace {

/// Number `i` of `steps` from start to end, counted from the nearer end as PyTorch does: both are met exactly.
template <class W>
W at(W start, W end, W step, int64_t i, int64_t steps) {
  return i < steps / 2 ? start + step * W(static_cast<double>(i)) : end - step * W(static_cast<double>(steps - i - 1));
}

template <class T>
void write(const Tensor& dense, const Scalar& first, const Scalar& last, const double* base) {
  using W = std::conditional_t<is_complex(dtype_of<T>), std::complex<double>, double>;
  T* out = dense.data<T>();
  const int64_t n = dense.numel().as_int();
  // Ends of integers are truncated before anything is computed.
  const auto end_of = [](const Scalar& s) {
    if constexpr (std::is_integral_v<T>) return W(static_cast<double>(s.to<T>()));
    if constexpr (is_complex(dtype_of<T>)) return W(s.to_complex());
    return W(s.to_double());
  };
  const W start = end_of(first), end = n > 1 ? end_of(last) : start;
  const W step = n > 1 ? (end - start) / W(static_cast<double>(n - 1)) : W(0);
  parallel_for(n, 1 << 13, [&](int64_t b, int64_t e) {
    for (int64_t i = b; i < e; ++i) {
      W v = n > 1 ? at(start, end, step, i, n) : start;
      if (base) v = std::pow(W(*base), v);
      if constexpr (is_complex(dtype_of<T>)) {
        out[i] = static_cast<T>(v);
      } else if constexpr (std::is_integral_v<T>) {
        out[i] = static_cast<T>(static_cast<int64_t>(v));
      } else {
        out[i] = T(v);
      }
    }
  });
}

void run(KernelCall& call, const double* base) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const auto end = [&](size_t i) {
    return call.args[i].is_tensor() ? fitting_number(call, call.tensor(i), out.dtype()) : call.scalar(i);
  };
  if (out.numel().as_int() == 1 && out.dtype() == DType::Bool) {
    return fill_elements(out, base ? Scalar(std::pow(*base, end(0).to_double())) : end(0));
  }
  DenseOutput to(out);
  dispatch_dtype<kNumbers>(out.dtype(), [&]<class T>() {
    write<T>(to.tensor, end(0), out.numel().as_int() > 1 ? end(1) : Scalar(0), base);
  });
  to.finish();
}

}  // namespace

void linspace_cpu(KernelCall& call) { run(call, nullptr); }
void logspace_cpu(KernelCall& call) {
  const double base = call.real(3);
  run(call, &base);
}

}  // namespace ersatz::op_linspace
