// Dtypes of plugins' tensors, and the C++ types that their elements have. Header-only, part of
// runtime/plugin/plugin_op.h.
#pragma once

#include <complex>
#include <cstddef>
#include <string>
#include <type_traits>

#include "runtime/plugin/plugin.h"

namespace ersatz::plugin {

enum class DType { Bool, U8, I8, I16, I32, I64, F16, BF16, F32, F64, C64, C128 };
inline constexpr ErsatzDType kDTypeCodes[] = {{6, 8, 1},  {1, 8, 1},  {0, 8, 1},  {0, 16, 1}, {0, 32, 1}, {0, 64, 1},
                                              {2, 16, 1}, {4, 16, 1}, {2, 32, 1}, {2, 64, 1}, {5, 64, 1}, {5, 128, 1}};
inline int64_t item_size(DType t) { return kDTypeCodes[static_cast<int>(t)].bits / 8; }
/// `f32`
inline const char* dtype_name(DType t) {
  constexpr const char* kNames[] = {"bool", "u8",   "i8",  "i16", "i32", "i64",
                                    "f16",  "bf16", "f32", "f64", "c64", "c128"};
  return kNames[static_cast<int>(t)];
}

/// Thrown where elements are asked for as another type than theirs, which would be bytes beside the tensor or numbers
/// that nobody wrote.
struct WrongType {
  int64_t argument;  ///< -1: a result
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

/// The code of an arithmetic or complex type's elements.
template <class T>
constexpr ErsatzDType code_of() {
  constexpr uint8_t kCode = std::is_same_v<T, bool>       ? 6
                            : is_complex_v<T>             ? 5
                            : std::is_floating_point_v<T> ? 2
                            : std::is_unsigned_v<T>       ? 1
                                                          : 0;
  return {kCode, static_cast<uint8_t>(sizeof(T) * 8), 1};
}

/// Are elements of that dtype of type T? A char or std::byte is a byte of any; C++20 has no type for f16 and bf16, so
/// their bits are read as uint16_t, or as a class of the author's of that size. Other classes are taken by their size.
template <class T>
constexpr bool reads(const ErsatzDType& dtype) {
  using Type = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<Type, char> || std::is_same_v<Type, std::byte>) {
    return true;
  } else if constexpr (!std::is_arithmetic_v<Type> && !is_complex_v<Type>) {
    return sizeof(Type) * 8 == dtype.bits;
  } else {
    const bool half = dtype.bits == 16 && (dtype.code == 2 || dtype.code == 4);
    return same_code(code_of<Type>(), dtype) || (half && std::is_same_v<Type, uint16_t>);
  }
}

/// The dtype that T reads, `f32`; in words where no dtype is of that type.
template <class T>
std::string type_text() {
  using Type = std::remove_cv_t<T>;
  if constexpr (std::is_arithmetic_v<Type> || is_complex_v<Type>) {
    for (int i = 0; i <= static_cast<int>(DType::C128); ++i) {
      if (same_code(kDTypeCodes[i], code_of<Type>())) return dtype_name(static_cast<DType>(i));
    }
  }
  return "a type of " + std::to_string(sizeof(Type)) + " bytes";
}

}  // namespace detail
}  // namespace ersatz::plugin
