// sum: the sum of all elements, or over dims.
//
// Constraints
// [sum.C1] dims are in range, each named once. If the overload has an argument for dims, the input has at most 64 dims.
// [sum_to_size.C1] `size` can be expanded to the sizes of the input.
//
// Elements are first converted to `dtype` if it is given. Without `dtype`, integers and bool are summed as i64. If
// `dim` is None or an empty list, all dims are reduced. The result is row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/sum.h"

namespace ersatz::op_sum {

inline constexpr TypedSchema kSum{"aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor"};
inline constexpr TypedSchema kSumDimIntList{
    "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"};
/// Returns the sum over the dims that `expand` from `size` would broadcast; the input itself if there are none.
inline constexpr TypedSchema kSumToSize{"aten::sum_to_size(Tensor self, SymInt[] size) -> Tensor"};

}  // namespace ersatz::op_sum
