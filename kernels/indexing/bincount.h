// How often each number occurs: `bincount`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/indexing/bincount.h"

namespace ersatz::op_bincount {

/// Element i counts the elements of `self` that are i, or sums their weights; there are as many as the largest number
/// asks for, `minlength` at least. Counts are i64, sums f32 of f32 weights, else f64. An empty self counts nothing,
/// whatever the weights.
/// [bincount.C1] integers, of one dim; none negative, which is seen from values;
/// [bincount.C2] minlength is not negative;
/// [bincount.C3] a weight for each element.
inline constexpr TypedSchema kBincount{
    "aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor"};

}  // namespace ersatz::op_bincount
