// The element types of tensors.
//
// A `DType` is one byte. Names are the short ones of the canonical spelling: `f32`, `bf16`, `c64`.
// Any thread; everything here is a pure function.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/base/half.h"

namespace ersatz {

enum class DType : uint8_t { Bool, U8, I8, I16, I32, I64, F16, BF16, F32, F64, C64, C128 };
inline constexpr int kDTypeCount = 12;

/// Bytes of one element: 1 for bool ... 16 for c128.
constexpr int64_t item_size(DType t) {
  constexpr int64_t sizes[kDTypeCount] = {1, 1, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
  return sizes[static_cast<int>(t)];
}

/// The short name, `f32`.
constexpr std::string_view name(DType t) {
  constexpr std::string_view names[kDTypeCount] = {"bool", "u8",   "i8",  "i16", "i32", "i64",
                                                   "f16",  "bf16", "f32", "f64", "c64", "c128"};
  return names[static_cast<int>(t)];
}

/// The dtype of a short name; empty when there is none.
std::optional<DType> parse_dtype(std::string_view short_name);

/// The long name that error messages of the field use: `float32`, `bfloat16`.
std::string_view long_name(DType t);

constexpr bool is_complex(DType t) { return t == DType::C64 || t == DType::C128; }
constexpr bool is_float(DType t) { return t >= DType::F16 && t <= DType::F64; }
/// Integers without bool.
constexpr bool is_integer(DType t) { return t >= DType::U8 && t <= DType::I64; }
constexpr bool is_integral(DType t) { return t <= DType::I64; }  ///< integers and bool
constexpr bool is_reduced_float(DType t) { return t == DType::F16 || t == DType::BF16; }
constexpr bool is_signed(DType t) { return t != DType::Bool && t != DType::U8; }

/// f32 for c64, f64 for c128, else the dtype itself.
constexpr DType real_dtype(DType t) { return t == DType::C64 ? DType::F32 : t == DType::C128 ? DType::F64 : t; }
/// c64 for f32 (and f16, bf16), c128 for f64. REQUIRES: is_float(t) or is_complex(t).
constexpr DType complex_dtype(DType t) { return is_complex(t) ? t : t == DType::F64 ? DType::C128 : DType::C64; }

/// A set of dtypes, one bit each. Rules and kernel tables declare what they take with it.
class DTypeSet {
 public:
  constexpr DTypeSet() = default;
  constexpr DTypeSet(std::initializer_list<DType> types) {
    for (DType t : types) bits_ |= bit(t);
  }
  constexpr bool has(DType t) const { return bits_ & bit(t); }
  constexpr DTypeSet operator|(DTypeSet o) const { return DTypeSet(uint16_t(bits_ | o.bits_)); }
  constexpr DTypeSet without(DTypeSet o) const { return DTypeSet(uint16_t(bits_ & ~o.bits_)); }
  constexpr bool operator==(const DTypeSet&) const = default;

  uint16_t bits_ = 0;  ///< public only so that a set may be a template argument

 private:
  constexpr explicit DTypeSet(uint16_t bits) : bits_(bits) {}
  static constexpr uint16_t bit(DType t) { return uint16_t(1u << static_cast<int>(t)); }
};

inline constexpr DTypeSet kFloats{DType::F16, DType::BF16, DType::F32, DType::F64};
inline constexpr DTypeSet kComplexes{DType::C64, DType::C128};
inline constexpr DTypeSet kIntegers{DType::U8, DType::I8, DType::I16, DType::I32, DType::I64};
inline constexpr DTypeSet kBool{DType::Bool};
inline constexpr DTypeSet kReals = kIntegers | kFloats;
inline constexpr DTypeSet kNumbers = kReals | kComplexes;
inline constexpr DTypeSet kAllDTypes = kNumbers | kBool;
inline constexpr DTypeSet kFloatsAndComplexes = kFloats | kComplexes;

/// The C++ element type of a dtype and back.
template <DType>
struct CppTypeOf;
template <class T>
struct DTypeOf;
#define ERSATZ_DTYPE_TYPE(dtype, type)           \
  template <>                                    \
  struct CppTypeOf<DType::dtype> {               \
    using T = type;                              \
  };                                             \
  template <>                                    \
  struct DTypeOf<type> {                         \
    static constexpr DType value = DType::dtype; \
  };
ERSATZ_DTYPE_TYPE(Bool, bool)
ERSATZ_DTYPE_TYPE(U8, uint8_t)
ERSATZ_DTYPE_TYPE(I8, int8_t)
ERSATZ_DTYPE_TYPE(I16, int16_t)
ERSATZ_DTYPE_TYPE(I32, int32_t)
ERSATZ_DTYPE_TYPE(I64, int64_t)
ERSATZ_DTYPE_TYPE(F16, half)
ERSATZ_DTYPE_TYPE(BF16, bfloat16)
ERSATZ_DTYPE_TYPE(F32, float)
ERSATZ_DTYPE_TYPE(F64, double)
ERSATZ_DTYPE_TYPE(C64, std::complex<float>)
ERSATZ_DTYPE_TYPE(C128, std::complex<double>)
#undef ERSATZ_DTYPE_TYPE
template <class T>
inline constexpr DType dtype_of = DTypeOf<T>::value;

}  // namespace ersatz
