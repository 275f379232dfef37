// Tests whether a dtype can hold an integer that a draw may return.
#pragma once

#include "kernels/shape/scalar_fit.h"

namespace ersatz {

inline bool holds_integer(DType dtype, int64_t v) {
  if (dtype == DType::Bool) return v == 0 || v == 1;
  if (dtype == DType::U8 || kWideUnsigned.has(dtype)) {
    const int64_t bits = 8 * item_size(dtype);
    return v >= 0 && (bits == 64 || v < int64_t{1} << bits);
  }
  return !is_complex(dtype) && scalar_fits(v, dtype);
}

}  // namespace ersatz
