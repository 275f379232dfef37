// sum: the sum of all elements, or over dims.
//
// Constraints
// [sum.C1] dims are in range, at most 64, each named once.
// [sum_to_size.C1] `size` can be expanded to the sizes of the input.
//
// Integers and bool sum to i64 unless `dtype` is given; elements are converted to a given `dtype` first. No dims and an
// empty list mean all dims. The result is row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/sum.h"

namespace ersatz::op_sum {

inline constexpr TypedSchema kSum{"aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor"};
inline constexpr TypedSchema kSumDimIntList{
    "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"};
/// The sum over the dims that `expand` would broadcast; the input itself if there are none.
inline constexpr TypedSchema kSumToSize{"aten::sum_to_size(Tensor self, SymInt[] size) -> Tensor"};

}  // namespace ersatz::op_sum
