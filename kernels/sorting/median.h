// median, nanmedian: return the middle element of all elements or along one dim. If there are two middle elements, they
// return the lower one.
//
// Constraints
// [median.C1] the dim is not empty (else IndexError).
// The label is used for nanmedian too. The dim must be in range (else IndexError). Bool and complex are not supported.
// If an element is NaN, the median is NaN; nanmedian ignores NaNs. The median of no elements is NaN. Results are
// row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/sorting/median.h"

namespace ersatz::op_median {

inline constexpr TypedSchema kMedian{"aten::{}(Tensor self) -> Tensor", "median", "nanmedian"};
inline constexpr TypedSchema kMedianDim{
    "aten::{}.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", "median", "nanmedian"};

}  // namespace ersatz::op_median
