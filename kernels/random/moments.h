// Operands of draws that have one number for each element, in row-major order on the output's device.
#pragma once

#include <string>

#include "kernels/random/draw_elements.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz {

/// Returns argument `i`, a tensor or a number, as a row-major tensor with the sizes and the device of `like`.
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

/// Constraints on numbers. `Bad` tests whether a number is refused, and `words` returns the error message.
struct Probabilities {
  using Bad = IsNoProbability;
  static std::string words(double p, int64_t position) {
    return fmt::format("probability {} at position {} does not lie in [0, 1]", p, position);
  }
};
struct Deviations {
  using Bad = IsNegative;
  static std::string words(double std, int64_t position) {
    return fmt::format("std must not be negative: element {} is {}", position, std);
  }
};

/// Raises an error for the first number that `Kind` refuses. `numbers` are n numbers on the host.
template <class Kind>
void require_all(const KernelCall& call, const double* numbers, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (typename Kind::Bad()(numbers[i])) fail_on_value(call, ErrorFamily::Runtime, "{}", Kind::words(numbers[i], i));
  }
}

}  // namespace ersatz
