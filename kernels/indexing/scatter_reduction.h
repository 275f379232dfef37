// The arithmetic of scattering reductions, which CPU and CUDA kernels share.
#pragma once

#include <limits>
#include <string_view>

#include "kernels/pointwise/device_value.h"

namespace ersatz {

enum class Reduction : uint8_t { Sum, Prod, Mean, Max, Min };

/// Returns the reduction of this name. REQUIRES: the rule has accepted the name.
inline Reduction reduction_named(std::string_view name) {
  return name == "prod" || name == "multiply" ? Reduction::Prod
         : name == "mean"                     ? Reduction::Mean
         : name == "amax"                     ? Reduction::Max
         : name == "amin"                     ? Reduction::Min
                                              : Reduction::Sum;
}

/// Returns a combined with b. For Max and Min, the result is NaN if an operand is NaN.
template <class T>
ERSATZ_HD inline T combined(Reduction r, T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return r == Reduction::Prod || r == Reduction::Min ? a && b : a || b;
  } else {
    if constexpr (!kIsDeviceComplex<T>) {
      if (r == Reduction::Max) return a != a || (b == b && !(a < b)) ? a : b;
      if (r == Reduction::Min) return a != a || (b == b && !(b < a)) ? a : b;
    }
    return r == Reduction::Prod ? static_cast<T>(a * b) : static_cast<T>(a + b);
  }
}

/// Returns the start value of an element whose value in self is not included.
template <class T>
T neutral(Reduction r) {
  if (r == Reduction::Prod) return T(1);
  if constexpr (std::is_same_v<T, bool>) {
    return r == Reduction::Min;
  } else if constexpr (is_float(kDeviceDType<T>)) {
    if (r == Reduction::Max) return T(-std::numeric_limits<float>::infinity());
    if (r == Reduction::Min) return T(std::numeric_limits<float>::infinity());
  } else if constexpr (!kIsDeviceComplex<T>) {
    if (r == Reduction::Max) return std::numeric_limits<T>::lowest();
    if (r == Reduction::Min) return std::numeric_limits<T>::max();
  }
  return T(0);
}

/// Returns the mean of `count` elements whose sum is `sum`. For integers, the mean is rounded down. REQUIRES: count >
/// 0, and T is not bool.
template <class T>
ERSATZ_HD inline T divided(T sum, int64_t count) {
  if constexpr (std::is_integral_v<T>) {
    const int64_t s = static_cast<int64_t>(sum), q = s / count;
    return static_cast<T>(s % count != 0 && s < 0 ? q - 1 : q);
  } else if constexpr (kIsDeviceComplex<T>) {
    return sum / T(static_cast<typename T::value_type>(count));
  } else if constexpr (std::is_same_v<T, double>) {
    return sum / static_cast<double>(count);
  } else {
    return T(static_cast<float>(sum) / static_cast<float>(count));
  }
}

}  // namespace ersatz
