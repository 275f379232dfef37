// median, nanmedian: the element in the middle, the lower one of two, of all elements or along one dim.
//
// Constraints
// [median.C1] the dim is not empty (IndexError).
// The same label holds for nanmedian. The dim is in range (IndexError). Bool and complex are not supported. A NaN is
// the median of what holds one; nanmedian passes NaNs over. The median of nothing is NaN. Results are row-major.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_median {

inline constexpr Schema kMedian{"aten::{}(Tensor self) -> Tensor"};
inline constexpr Schema kMedianDim{
    "aten::{}.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"};

}  // namespace ersatz::op_median

namespace ersatz::ops {

struct MedianResult {
  Tensor values;
  Tensor indices;  ///< i64
};
Tensor median(const Tensor& self);
MedianResult median(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor nanmedian(const Tensor& self);
MedianResult nanmedian(const Tensor& self, int64_t dim, bool keepdim = false);

}  // namespace ersatz::ops
