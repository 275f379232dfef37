// Class numbers as vectors of zeros with a one at the class.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/one_hot.h"

namespace ersatz::op_one_hot {

/// i64 with a last dim of `num_classes`; -1 is one more than the largest number that occurs, which depends on values.
/// [one_hot.C1] an i64 tensor.
/// [one_hot.C2] a positive number of classes for an empty tensor.
/// [one_hot.C3] num_classes of 1 at least, or -1.
/// Values: each lies in [0, num_classes) (runtime error).
inline constexpr TypedSchema kOneHot{"aten::one_hot(Tensor self, int num_classes=-1) -> Tensor"};

}  // namespace ersatz::op_one_hot
