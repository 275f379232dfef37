// `one_hot`: class numbers as vectors with a one at the class and zeros elsewhere.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/one_hot.h"

namespace ersatz::op_one_hot {

/// i64, with a new last dim of size `num_classes`; -1 means the largest element plus one, which depends on data.
/// [one_hot.C1] an i64 tensor.
/// [one_hot.C2] a positive number of classes for an empty tensor.
/// [one_hot.C3] num_classes is at least 1, or -1.
/// Values: each element is in [0, num_classes) (runtime error).
inline constexpr TypedSchema kOneHot{"aten::one_hot(Tensor self, int num_classes=-1) -> Tensor"};

}  // namespace ersatz::op_one_hot
