// logsumexp: the logarithm of the sum of exponentials over dims, without overflow.
//
// Constraints
// [logsumexp.C1] dims are in range, each named once. The input has at most 64 dims. At least one dim is named unless
// self is 0-d.
//
// Integers and bool give the default dtype. If no elements are reduced, the result is -inf. The result is row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/logsumexp.h"

namespace ersatz::op_logsumexp {

inline constexpr TypedSchema kLogsumexp{"aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor"};

}  // namespace ersatz::op_logsumexp
