// The rows of this machine: for each row and compute dtype, the loop for the best instruction set that the machine has.
#pragma once

#include "kernels/pointwise/row.h"
#include "runtime/base/dtype.h"

namespace ersatz::pointwise {

/// Returns the loop of a row; null if the row is not compiled for that dtype.
RowKernel find_row(Row row, DType compute);

/// The dtype that a value of `t` is computed in: f32 for narrower floats, c64 for c32, i64 for unsigned integers wider
/// than u8, else `t`. Ops for which u64 differs from i64 in more than the bits handle u64 in their kernels.
constexpr DType compute_dtype(DType t) {
  if (is_reduced_float(t) || kFloat8s.has(t)) return DType::F32;
  if (is_packed(t)) return DType::U8;  // moved and compared as bytes
  if (t == DType::C32) return DType::C64;
  return kWideUnsigned.has(t) ? DType::I64 : t;
}

}  // namespace ersatz::pointwise
