// `bincount`: how often each number occurs.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/indexing/bincount.h"

namespace ersatz::op_bincount {

/// Element i is the number of elements of `self` that are i, or the sum of their weights. The result has max(self) + 1
/// elements, at least `minlength`. Counts are i64; sums are f32 for f32 weights, else f64. An empty self has counts for
/// any weights.
/// [bincount.C1] integers in one dim; negative elements are a value failure.
/// [bincount.C2] minlength is not negative.
/// [bincount.C3] a weight for each element.
inline constexpr TypedSchema kBincount{
    "aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor"};

}  // namespace ersatz::op_bincount
