// median, nanmedian: the middle element (the lower one of two) of all elements, or along one dim.
//
// Constraints
// [median.C1] the dim is not empty (IndexError).
// The label holds for nanmedian, too. The dim is in range (IndexError). Bool and complex are not supported. A NaN makes
// the median NaN; nanmedian ignores NaNs. The median of no elements is NaN. Results are row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/sorting/median.h"

namespace ersatz::op_median {

inline constexpr TypedSchema kMedian{"aten::{}(Tensor self) -> Tensor", "median", "nanmedian"};
inline constexpr TypedSchema kMedianDim{
    "aten::{}.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", "median", "nanmedian"};

}  // namespace ersatz::op_median
