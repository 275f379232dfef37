// nansum, nanmean: sums and means that leave out NaNs.
//
// Constraints
// [nansum.C1] dims are in range, each named once. The input has at most 64 dims.
// [nanmean.C1] a given `dtype` is a float or complex.
//
// Complex inputs are not supported; nanmean accepts floats only. Integers and bool are summed as i64 unless `dtype` is
// given. If `dim` is None or an empty list, all dims are reduced. The result is row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/nansum.h"

namespace ersatz::op_nansum {

inline constexpr TypedSchema kNansum{
    "aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"};
inline constexpr TypedSchema kNanmean{
    "aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"};

}  // namespace ersatz::op_nansum
