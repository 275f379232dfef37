// Results of beta * self + alpha * product if the product is empty or its inner size is 0.
#pragma once

#include "runtime/op/value.h"

namespace ersatz {

/// Computes out = beta * self, with self broadcast. If `beta` is 0, writes zeros, even if self has NaN. REQUIRES: CPU
/// tensors of one dtype.
void write_scaled_self(const Tensor& out, const Tensor& self, const Scalar& beta);

}  // namespace ersatz
