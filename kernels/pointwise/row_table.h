// The rows of this machine: for each row and compute dtype the loop of the best instruction set it has.
#pragma once

#include "kernels/pointwise/row.h"
#include "runtime/base/dtype.h"

namespace ersatz::pointwise {

/// The loop of a row; null where the row is not compiled for that dtype.
RowKernel find_row(Row row, DType compute);

/// The dtype that a value of `t` is computed in: f32 for narrower floats, c64 for c32, i64 for unsigned integers beyond
/// u8, else itself. Rows that u64 needs more than the bits of are its kernel's own business.
constexpr DType compute_dtype(DType t) {
  if (is_reduced_float(t) || kFloat8s.has(t)) return DType::F32;
  if (is_packed(t)) return DType::U8;  // moved and compared as bytes
  if (t == DType::C32) return DType::C64;
  return kWideUnsigned.has(t) ? DType::I64 : t;
}

}  // namespace ersatz::pointwise
