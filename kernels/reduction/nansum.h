// nansum, nanmean: sums and means in which NaNs count as nothing.
//
// Constraints
// [nansum.C1] dims are in range, at most 64, each named once.
// [nanmean.C1] `dtype`, where given, is a float or complex.
// Complex inputs are not supported; nanmean takes floats only. Integers and bool sum to i64 unless `dtype` says
// otherwise. No dims and an empty list mean all. The result is row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/nansum.h"

namespace ersatz::op_nansum {

inline constexpr TypedSchema kNansum{
    "aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"};
inline constexpr TypedSchema kNanmean{
    "aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"};

}  // namespace ersatz::op_nansum
