// The rows of this machine: for each row and compute dtype the loop of the best instruction set it has.
#pragma once

#include "kernels/pointwise/row.h"
#include "runtime/base/dtype.h"

namespace ersatz::pointwise {

/// The loop of a row; null where the row is not compiled for that dtype.
RowKernel find_row(Row row, DType compute);

/// The dtype that a value of `t` is computed in: f32 for f16 and bf16, else itself.
constexpr DType compute_dtype(DType t) { return is_reduced_float(t) ? DType::F32 : t; }

}  // namespace ersatz::pointwise
