// logcumsumexp: the logarithms of running sums of exponentials along one dim, without overflow.
//
// Refused: a dim out of range (IndexError), and inputs that are neither floats nor complex (NotSupported). The result
// is row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/logcumsumexp.h"

namespace ersatz::op_logcumsumexp {

inline constexpr TypedSchema kLogcumsumexp{"aten::logcumsumexp(Tensor self, int dim) -> Tensor"};

}  // namespace ersatz::op_logcumsumexp
