// logcumsumexp: the logarithms of running sums of exponentials along one dim, without overflow.
//
// The dim is in range (IndexError). Inputs are floats or complex numbers (NotSupported otherwise). The result is
// row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/logcumsumexp.h"

namespace ersatz::op_logcumsumexp {

inline constexpr TypedSchema kLogcumsumexp{"aten::logcumsumexp(Tensor self, int dim) -> Tensor"};

}  // namespace ersatz::op_logcumsumexp
