// What is left of beta * self + alpha * product where there is nothing to multiply.
#pragma once

#include "runtime/op/value.h"

namespace ersatz {

/// out = beta * self, self broadcast; zeros for beta 0, whatever self holds. REQUIRES: CPU tensors of one dtype.
void write_scaled_self(const Tensor& out, const Tensor& self, const Scalar& beta);

}  // namespace ersatz
