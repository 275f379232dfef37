// max.dim, min.dim: the largest or smallest element of each row along one dim, and where it is.
//
// Constraints
// [max.C1] the dim is not empty (IndexError).
// [max.C2] complex numbers have no order (TypeError).
// The same labels hold for min. The dim is in range (IndexError). The first of equal elements counts, NaN over all.
// Results are row-major; the indices are i64.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_max_dim {

inline constexpr Schema kMaxDim{
    "aten::{}.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"};

}  // namespace ersatz::op_max_dim

namespace ersatz::ops {

struct ExtremeResult {
  Tensor values;
  Tensor indices;
};
ExtremeResult max(const Tensor& self, int64_t dim, bool keepdim = false);
ExtremeResult min(const Tensor& self, int64_t dim, bool keepdim = false);

}  // namespace ersatz::ops
