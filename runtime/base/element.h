// Converts numbers to elements of any dtype and back.
#pragma once

#include "runtime/base/dtype.h"

namespace ersatz {

template <class T>
inline constexpr bool is_complex_element = is_complex(dtype_of<T>);
template <class T>
inline constexpr bool is_packed_element = is_packed(dtype_of<T>);

/// Returns an element of value `re`, or `re + im j` if T is complex. A packed element holds the numbers `re` and `im`.
template <class T>
T element_of(double re, double im = 0) {
  if constexpr (is_complex_element<T>) {
    return T(std::complex<float>(static_cast<float>(re), static_cast<float>(im)));
  } else if constexpr (is_packed_element<T>) {
    return T(static_cast<float>(re), static_cast<float>(im));
  } else if constexpr (is_float(dtype_of<T>) && !std::is_floating_point_v<T>) {
    return T(static_cast<float>(re));
  } else {
    return static_cast<T>(re);
  }
}
template <>
inline std::complex<double> element_of(double re, double im) {
  return {re, im};
}

/// Returns the number in an element. For a packed element, the real part is the first number and the imaginary part the
/// second.
template <class T>
std::complex<double> number_in(const T& v) {
  if constexpr (is_complex_element<T>) {
    return {static_cast<double>(v.real()), static_cast<double>(v.imag())};
  } else if constexpr (is_packed_element<T>) {
    return {v.low(), v.high()};
  } else {
    return static_cast<double>(v);
  }
}

}  // namespace ersatz
