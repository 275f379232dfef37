// logcumsumexp: the logarithms of running sums of exponentials along one dim, without overflow.
//
// The dim is in range (IndexError). Floats and complex numbers (NotSupported otherwise). The result is row-major.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_logcumsumexp {

inline constexpr Schema kLogcumsumexp{"aten::logcumsumexp(Tensor self, int dim) -> Tensor"};

}  // namespace ersatz::op_logcumsumexp

namespace ersatz::ops {

Tensor logcumsumexp(const Tensor& self, int64_t dim);

}  // namespace ersatz::ops
