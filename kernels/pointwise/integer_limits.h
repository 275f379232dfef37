// The smallest and the largest number of an integer dtype.
#pragma once

#include <limits>
#include <utility>

#include "runtime/base/dtype.h"

namespace ersatz {

/// Returns the smallest and the largest number of `t`. For u64 it returns the largest number of i64. REQUIRES: `t` is
/// an integer dtype.
inline std::pair<int64_t, int64_t> integer_limits(DType t) {
  const auto of = [](auto v) {
    using T = decltype(v);
    return std::pair<int64_t, int64_t>(std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
  };
  switch (t) {
    case DType::U8:
      return of(uint8_t());
    case DType::U16:
      return of(uint16_t());
    case DType::U32:
      return of(uint32_t());
    case DType::U64:
      return {0, std::numeric_limits<int64_t>::max()};
    case DType::I8:
      return of(int8_t());
    case DType::I16:
      return of(int16_t());
    case DType::I32:
      return of(int32_t());
    default:
      return of(int64_t());
  }
}

}  // namespace ersatz
