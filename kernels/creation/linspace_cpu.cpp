#include <cmath>

#include "kernels/creation/linspace.h"
#include "kernels/creation/spacing.h"
#include "kernels/dense_operand.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"

namespace ersatz::op_linspace {
namespace {

template <class T>
void write(const Tensor& dense, const Spacing<T>& s, const double* base) {
  using W = typename Spacing<T>::W;
  T* out = dense.data<T>();
  const int64_t n = dense.numel().as_int();
  parallel_for(n, 1 << 13, [&](int64_t b, int64_t e) {
    for (int64_t i = b; i < e; ++i) {
      W v = n > 1 ? spaced_number(s.start, s.end, s.step, i, n) : s.start;
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
  const int64_t n = out.numel().as_int();
  if (n == 0) return;
  if (n == 1 && out.dtype() == DType::Bool) {
    const Scalar end = given_number(call, kEach["start"]);
    return fill_elements(out, base ? Scalar(std::pow(*base, end.to_double())) : end);
  }
  DenseOutput to(out);
  dispatch_dtype<kNumbers>(out.dtype(), [&]<class T>() { write<T>(to.tensor, Spacing<T>(call, n), base); });
  to.finish();
}

}  // namespace

void linspace_cpu(KernelCall& call) { run(call, nullptr); }
void logspace_cpu(KernelCall& call) {
  const double base = call.real(kLogspace["base"]);
  run(call, &base);
}

}  // namespace ersatz::op_linspace
