// Operands of draws that have a number for each element, in row-major order on the output's device.
#pragma once

#include "kernels/random/draw_elements.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz {

/// Argument `i`, a tensor or a number, spread over `like`.
inline Tensor spread_argument(const KernelCall& call, Position i, const Tensor& like, DType dtype) {
  const Tensor dense = make_real_tensor(TensorMeta(dtype, like.sizes(), like.device()));
  if (dense.numel().as_int() == 0) return dense;
  if (call.args[i].is_tensor()) {
    copy_elements(dense, broadcast_view(call.tensor(i), like.sizes()));
  } else {
    fill_elements(dense, call.real(i));
  }
  return dense;
}

/// Raises for the first of n numbers that is no probability.
inline void require_probabilities(const KernelCall& call, const double* p, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (!IsNoProbability()(p[i])) continue;
    fail_on_value(call, ErrorFamily::Runtime, "probability {} at position {} does not lie in [0, 1]", p[i], i);
  }
}

/// Raises for the first of n standard deviations that is negative.
inline void require_deviations(const KernelCall& call, const double* std, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (!IsNegative()(std[i])) continue;
    fail_on_value(call, ErrorFamily::Runtime, "std must not be negative: element {} is {}", i, std[i]);
  }
}

}  // namespace ersatz
