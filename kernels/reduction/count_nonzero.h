// count_nonzero: the number of elements that are not zero, over all elements or over dims.
//
// Constraints
// [count_nonzero.C1] dims are in range, each named once. If dims are named, the input has at most 64 dims.
//
// Without dims all elements are counted. The result is i64 and row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/count_nonzero.h"

namespace ersatz::op_count_nonzero {

inline constexpr TypedSchema kCountNonzero{"aten::count_nonzero(Tensor self, int? dim=None) -> Tensor"};
inline constexpr TypedSchema kCountNonzeroDimIntList{
    "aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor"};

}  // namespace ersatz::op_count_nonzero
