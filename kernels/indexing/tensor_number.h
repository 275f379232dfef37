// The number in a 0-d tensor, for kernels with an overload that takes a number.
#pragma once

#include "runtime/op/kernel.h"

namespace ersatz {

/// The first element of a CPU tensor, with the kind of its dtype. REQUIRES: the tensor is not empty.
Scalar first_number(const Tensor& t);
/// first_number, not converted. RAISES: a value failure (runtime error) if it does not fit `dtype`.
Scalar fitting_number(const KernelCall& call, const Tensor& t, DType dtype);
/// Argument `i`, a number or a 0-d tensor, as a number that fits the dtype of the first result.
inline Scalar given_number(const KernelCall& call, Position i) {
  return call.args[i].is_tensor() ? fitting_number(call, call.tensor(i), call.outputs[0].dtype()) : call.scalar(i);
}

}  // namespace ersatz
