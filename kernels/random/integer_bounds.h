// Which integers a draw may give in a dtype.
#pragma once

#include "kernels/shape/scalar_fit.h"

namespace ersatz {

inline bool holds_integer(DType dtype, int64_t v) {
  if (dtype == DType::Bool) return v == 0 || v == 1;
  if (dtype == DType::U8) return v >= 0 && v <= 255;
  return !is_complex(dtype) && scalar_fits(v, dtype);
}

}  // namespace ersatz
