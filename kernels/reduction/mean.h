// mean: the mean of all elements, or over dims.
//
// Constraints
// [mean.C1] dims are in range, each named once. If the overload has an argument for dims, the input has at most 64
// dims.
//
// The result has the dtype `dtype`, by default the input's. It must be a float or complex (NotSupported otherwise). If
// no elements are reduced, the mean is NaN. The result is row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/mean.h"

namespace ersatz::op_mean {

inline constexpr TypedSchema kMean{"aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor"};
inline constexpr TypedSchema kMeanDim{
    "aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"};
inline constexpr Schemas kEach{kMean, kMeanDim};

}  // namespace ersatz::op_mean
