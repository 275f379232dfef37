// `bincount`: counts how often each number occurs.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/indexing/bincount.h"

namespace ersatz::op_bincount {

/// Returns a vector whose element i is the number of elements of `self` that are i, or the sum of their weights. Its
/// length is the larger of max(self) + 1 and `minlength`. Counts are i64; sums are f32 for f32 weights, else f64. For
/// an empty self, the result has i64 counts even if there are weights.
/// [bincount.C1] self has one dim and an integer dtype. The kernel raises an error for a negative element.
/// [bincount.C2] minlength is not negative.
/// [bincount.C3] there is one weight for each element.
inline constexpr TypedSchema kBincount{
    "aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor"};

}  // namespace ersatz::op_bincount
