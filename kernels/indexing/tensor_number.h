// Reads the number in a 0-d tensor, for kernels that also accept a number.
#pragma once

#include "runtime/op/kernel.h"

namespace ersatz {

/// Returns the first element of a CPU tensor; its kind is that of the tensor's dtype. REQUIRES: the tensor is not
/// empty.
Scalar first_number(const Tensor& t);
/// Returns first_number(t), without a conversion to `dtype`. RAISES: a RuntimeError with `value_failure` if the number
/// does not fit `dtype`.
Scalar fitting_number(const KernelCall& call, const Tensor& t, DType dtype);
/// Returns argument `i`, a number or a 0-d tensor, as a number that fits the dtype of the first result.
inline Scalar given_number(const KernelCall& call, Position i) {
  return call.args[i].is_tensor() ? fitting_number(call, call.tensor(i), call.outputs[0].dtype()) : call.scalar(i);
}

}  // namespace ersatz
