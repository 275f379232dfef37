// dist: the p-norm of a difference.
//
// [dist.C1] the out argument has the dtype of the result.
// The operands broadcast; what `sub` and `linalg_vector_norm` refuse is refused.
#pragma once

#include "runtime/op/value.h"

namespace ersatz::ops {

Tensor dist(const Tensor& self, const Tensor& other, const Scalar& p = int64_t(2));

}  // namespace ersatz::ops
