// max.dim, min.dim: the largest or smallest element of each row along one dim, and its index.
//
// Constraints, which min has under its own name
// [max.C1] the dim is not empty (IndexError).
// [max.C2] self is not complex, because complex numbers have no order (TypeError).
//
// A dim out of range is refused (IndexError). Among equal elements the first one is chosen. NaN is more extreme than
// any number. Results are row-major; the indices are i64.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/reduction/max_dim.h"

namespace ersatz::op_max_dim {

inline constexpr TypedSchema kMaxDim{
    "aten::{}.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", "max", "min"};

}  // namespace ersatz::op_max_dim
