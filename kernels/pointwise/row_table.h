// Finds the loop of a row (row.h) for a compute dtype and for the best instruction set that this machine has.
#pragma once

#include "kernels/pointwise/row.h"
#include "runtime/base/dtype.h"

namespace ersatz::pointwise {

/// Returns the loop of a row, or null if the row is not compiled for that dtype.
RowKernel find_row(Row row, DType compute);

/// Returns the dtype that values of `t` are computed in: f32 for narrower floats, c64 for c32, i64 for u16, u32 and
/// u64, else `t`. REQUIRES: an op whose results for u64 and i64 have different bits handles u64 itself.
constexpr DType compute_dtype(DType t) {
  if (is_reduced_float(t) || kFloat8s.has(t)) return DType::F32;
  if (is_packed(t)) return DType::U8;  // elements are moved and compared as bytes
  if (t == DType::C32) return DType::C64;
  return kWideUnsigned.has(t) ? DType::I64 : t;
}

}  // namespace ersatz::pointwise
