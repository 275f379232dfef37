// cummax, cummin: running extremes along one dim, and where they are.
//
// The dim is in range (IndexError). Complex numbers have no order (NotSupported). Of equal elements the last one
// counts, and a NaN over all. Results are row-major; the indices are i64.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_cummax {

inline constexpr Schema kCummax{"aten::{}(Tensor self, int dim) -> (Tensor values, Tensor indices)"};

}  // namespace ersatz::op_cummax

namespace ersatz::ops {

struct CumulativeExtremes {
  Tensor values;
  Tensor indices;
};
CumulativeExtremes cummax(const Tensor& self, int64_t dim);
CumulativeExtremes cummin(const Tensor& self, int64_t dim);

}  // namespace ersatz::ops
