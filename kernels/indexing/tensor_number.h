// The number in a 0-d tensor, for kernels with an overload that takes a number.
#pragma once

#include "runtime/op/kernel.h"

namespace ersatz {

/// The first element of a CPU tensor, with the kind of its dtype. REQUIRES: the tensor is not empty.
Scalar first_number(const Tensor& t);
/// first_number, not converted. RAISES: a value failure (runtime error) if it does not fit `dtype`.
Scalar fitting_number(const KernelCall& call, const Tensor& t, DType dtype);

}  // namespace ersatz
