// The range of numbers that a dtype can represent.
#pragma once

#include <limits>

#include "runtime/base/dtype.h"

namespace ersatz {

/// The smallest and the largest finite number of a dtype. For complex dtypes, these are the limits of each part.
struct NumberRange {
  double low, high;
  bool infinity = false;  ///< the dtype has infinities
};

template <class T>
constexpr NumberRange range_of_type() {
  return {static_cast<double>(std::numeric_limits<T>::lowest()), static_cast<double>(std::numeric_limits<T>::max()),
          std::numeric_limits<T>::has_infinity};
}

/// Returns the range of `dtype`. REQUIRES: `dtype` is not packed. The limits of i64 and u64 are rounded to f64.
constexpr NumberRange number_range(DType dtype) {
  switch (dtype) {
    case DType::U8:
      return range_of_type<uint8_t>();
    case DType::I8:
      return range_of_type<int8_t>();
    case DType::I16:
      return range_of_type<int16_t>();
    case DType::I32:
      return range_of_type<int32_t>();
    case DType::I64:
      return range_of_type<int64_t>();
    case DType::U16:
      return range_of_type<uint16_t>();
    case DType::U32:
      return range_of_type<uint32_t>();
    case DType::U64:
      return range_of_type<uint64_t>();
    case DType::F16:
    case DType::C32:
      return {-65504, 65504, true};
    case DType::BF16:
      return {-3.3895313892515355e38, 3.3895313892515355e38, true};
    case DType::F32:
    case DType::C64:
      return range_of_type<float>();
    case DType::F8E4M3FN:
      return {-448, 448};
    case DType::F8E5M2:
      return {-57344, 57344, true};
    case DType::F8E4M3FNUZ:
      return {-240, 240};
    case DType::F8E5M2FNUZ:
      return {-57344, 57344};
    case DType::F8E8M0FNU:
      return {0x1p-127, 0x1p127};
    default:
      return range_of_type<double>();
  }
}

}  // namespace ersatz
