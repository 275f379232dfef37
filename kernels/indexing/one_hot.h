// `one_hot`: converts class numbers to vectors that are 1 at the class and 0 elsewhere.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/one_hot.h"

namespace ersatz::op_one_hot {

/// Returns an i64 tensor with a new last dim of size `num_classes`. -1 means the largest element plus one, which
/// depends on data.
/// [one_hot.C1] self is i64.
/// [one_hot.C2] num_classes is positive if self is empty.
/// [one_hot.C3] num_classes is at least 1, or -1.
/// Values: each element is in [0, num_classes) (else RuntimeError).
inline constexpr TypedSchema kOneHot{"aten::one_hot(Tensor self, int num_classes=-1) -> Tensor"};

}  // namespace ersatz::op_one_hot
