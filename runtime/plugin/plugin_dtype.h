// Dtypes of plugins' tensors, and the C++ types of their elements. Header-only, part of runtime/plugin/plugin_op.h.
#pragma once

#include <complex>
#include <cstddef>
#include <string>
#include <type_traits>

#include "runtime/base/dtype_list.h"
#include "runtime/plugin/plugin.h"

namespace ersatz::plugin {

#define ERSATZ_ROW(dtype, ...) dtype,
enum class DType { ERSATZ_DTYPES(ERSATZ_ROW) };
#undef ERSATZ_ROW
#define ERSATZ_ROW(dtype, short_name, long_name, type, bytes, kind, c10, pt2, code, bits, lanes, ...) \
  {code, bits, lanes},
inline constexpr ErsatzDType kDTypeCodes[] = {ERSATZ_DTYPES(ERSATZ_ROW)};
#undef ERSATZ_ROW
inline int64_t item_size(DType t) {
  return kDTypeCodes[static_cast<int>(t)].bits * kDTypeCodes[static_cast<int>(t)].lanes / 8;
}
/// Returns the short name of a dtype: `f32`.
inline const char* dtype_name(DType t) {
#define ERSATZ_ROW(dtype, short_name, ...) short_name,
  constexpr const char* kNames[] = {ERSATZ_DTYPES(ERSATZ_ROW)};
#undef ERSATZ_ROW
  return kNames[static_cast<int>(t)];
}

/// Thrown if elements are read as a type that is not their dtype's, because that would read bytes outside the tensor or
/// misread them.
struct WrongType {
  int64_t argument;  ///< index of the argument; -1: a result
  DType dtype;
  std::string asked;
};

namespace detail {

constexpr bool same_code(const ErsatzDType& a, const ErsatzDType& b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

template <class T>
inline constexpr bool is_complex_v = false;
template <class T>
inline constexpr bool is_complex_v<std::complex<T>> = true;

/// Returns the dtype code for elements of an arithmetic or complex type.
template <class T>
constexpr ErsatzDType code_of() {
  constexpr uint8_t kCode = std::is_same_v<T, bool>       ? 6
                            : is_complex_v<T>             ? 5
                            : std::is_floating_point_v<T> ? 2
                            : std::is_unsigned_v<T>       ? 1
                                                          : 0;
  return {kCode, static_cast<uint8_t>(sizeof(T) * 8), 1};
}

/// Returns whether elements of that dtype may be read as T. A char or std::byte may read any dtype, byte by byte. C++20
/// has no type for f16 and bf16, so uint16_t, or an author's class of two bytes, reads their bits. Any other class is
/// accepted if its size is the element's.
template <class T>
constexpr bool reads(const ErsatzDType& dtype) {
  using Type = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<Type, char> || std::is_same_v<Type, std::byte>) {
    return true;
  } else if constexpr (!std::is_arithmetic_v<Type> && !is_complex_v<Type>) {
    return sizeof(Type) * 8 == size_t(dtype.bits) * dtype.lanes;
  } else {
    const bool half = dtype.bits == 16 && (dtype.code == 2 || dtype.code == 4);
    return same_code(code_of<Type>(), dtype) || (half && std::is_same_v<Type, uint16_t>);
  }
}

/// Returns the name of the dtype that T reads, `f32`, or a description of T if no dtype has that type.
template <class T>
std::string type_text() {
  using Type = std::remove_cv_t<T>;
  if constexpr (std::is_arithmetic_v<Type> || is_complex_v<Type>) {
    for (const ErsatzDType& code : kDTypeCodes) {
      if (same_code(code, code_of<Type>())) return dtype_name(static_cast<DType>(&code - kDTypeCodes));
    }
  }
  return "a type of " + std::to_string(sizeof(Type)) + " bytes";
}

}  // namespace detail
}  // namespace ersatz::plugin
