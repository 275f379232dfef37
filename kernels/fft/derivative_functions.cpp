// Functions for derivatives.def: gradients of Fourier transforms between real and complex numbers.
#include "kernels/gradient_math.h"

namespace ersatz::derivatives {

namespace fft_gradients {

using namespace gradient_math;

/// Gradient of _fft_r2c(self, dims): the real part of the inverse transform of grad. A one-sided grad is padded with
/// zeros.
Value r2c(Arguments a) {
  if (a[0].is_none()) return {};
  Tensor grad = a[0].tensor();
  const auto dims = a[2].as_ints();
  if (a[4].as_bool() && !dims.empty()) {
    const int64_t last = wrap(dims.back().as_int(), grad.dim());
    const SymInt missing = a[1].as_ints()[static_cast<size_t>(last)] - size(grad, last);
    if (guard_gt(missing, 0)) {
      DimVec sizes(grad.sizes());
      sizes[static_cast<size_t>(last)] = sizes[static_cast<size_t>(last)] + missing;
      const Tensor whole = zeros(grad, sizes);
      gradient_ops().copy_into(narrow(whole, last, 0, size(grad, last)), grad);
      grad = whole;
    }
  }
  return real(call_op<"aten._fft_c2c.default">(grad, dims, a[3], false));
}

/// Gradient of _fft_c2r(self, dims): the one-sided transform of grad. Frequencies whose mirrored frequency is not in
/// the input count twice.
Value c2r(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor();
  const auto dims = a[1].as_ints();
  const Tensor made = call_op<"aten._fft_r2c.default">(grad, dims, a[2], true);
  const int64_t last = dims.back().as_int();
  const SymInt twice = size(grad, last) - size(made, last);
  if (guard_gt(twice, 0)) call_op<"aten.mul_.Scalar">(narrow(made, last, 1, twice), 2);
  return made;
}

}  // namespace fft_gradients

void add_fft_functions() {
  add_gradient_function("fft_c2r_gradient", fft_gradients::c2r);
  add_gradient_function("fft_r2c_gradient", fft_gradients::r2c);
}

}  // namespace ersatz::derivatives
