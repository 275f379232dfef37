// where: elements of one operand or the other, as a condition says.
//
// The result has the common dtype of the two operands.
//
// [where.C1]  Sizes of condition and operands must broadcast.
// [where.C2]  The condition is bool (or u8, as of old).
#pragma once

#include "runtime/op/dispatch.h"

namespace ersatz::ops {

Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other);

}  // namespace ersatz::ops
