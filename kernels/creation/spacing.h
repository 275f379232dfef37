// Computes the numbers of linspace and logspace, for CPU and CUDA kernels.
#pragma once

#include <complex>

#include "kernels/creation/linspace.h"
#include "kernels/indexing/tensor_number.h"
#include "runtime/base/dtype.h"
#include "runtime/base/host_device.h"

namespace ersatz {

/// Returns number `i` of `steps` numbers. Like PyTorch, computes it from the nearer end, so that both ends are exact.
template <class W>
ERSATZ_HD W spaced_number(W start, W end, W step, int64_t i, int64_t steps) {
  return i < steps / 2 ? start + step * W(static_cast<double>(i)) : end - step * W(static_cast<double>(steps - i - 1));
}

/// Start, end and step, from which elements of type T are computed.
template <class T>
struct Spacing {
  using W = std::conditional_t<is_complex(dtype_of<T>), std::complex<double>, double>;
  W start, end, step;

  /// REQUIRES: n > 0.
  Spacing(const KernelCall& call, int64_t n) {
    start = end_of(given_number(call, op_linspace::kEach["start"]));
    end = n > 1 ? end_of(given_number(call, op_linspace::kEach["end"])) : start;
    step = n > 1 ? (end - start) / W(static_cast<double>(n - 1)) : W(0);
  }

 private:
  /// Returns an end as W. For an integer T, the end is truncated first.
  static W end_of(const Scalar& s) {
    if constexpr (std::is_integral_v<T>) return W(static_cast<double>(s.to<T>()));
    if constexpr (is_complex(dtype_of<T>)) return W(s.to_complex());
    return W(s.to_double());
  }
};

}  // namespace ersatz
