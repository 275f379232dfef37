// The number that a tensor without dims holds, for kernels that take one in place of a number.
#pragma once

#include "runtime/op/kernel.h"

namespace ersatz {

/// The first element of a CPU tensor with its own kind. REQUIRES: it has one.
Scalar first_number(const Tensor& t);
/// The same, converted to no other dtype yet; a value failure (runtime error) if it does not fit `dtype`.
Scalar fitting_number(const KernelCall& call, const Tensor& t, DType dtype);

}  // namespace ersatz
