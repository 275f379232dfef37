// The element types of tensors.
//
// A `DType` is one byte. Its names are the short ones of the text form of metadata: `f32`, `bf16`, `c64`. All functions
// here are pure, so any thread may call them.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/base/dtype_list.h"
#include "runtime/base/float8.h"

namespace ersatz {

#define ERSATZ_ROW(dtype, ...) dtype,
enum class DType : uint8_t { ERSATZ_DTYPES(ERSATZ_ROW) };
#undef ERSATZ_ROW

enum class DTypeKind : uint8_t { Bool, Unsigned, Signed, Float, Complex };

/// A row of the table ERSATZ_DTYPES, whose columns runtime/base/dtype_list.h explains.
struct DTypeRow {
  std::string_view short_name, long_name;
  uint8_t bytes;
  DTypeKind kind;
  uint8_t c10, pt2, code, bits, lanes;
  std::string_view npy, safetensors;
};
#define ERSATZ_ROW(dtype, short_name, long_name, type, bytes, kind, c10, pt2, code, bits, lanes, npy, safetensors) \
  {short_name, long_name, bytes, DTypeKind::kind, c10, pt2, code, bits, lanes, npy, safetensors},
inline constexpr DTypeRow kDTypeRows[] = {ERSATZ_DTYPES(ERSATZ_ROW)};
#undef ERSATZ_ROW
inline constexpr int kDTypeCount = static_cast<int>(sizeof(kDTypeRows) / sizeof(DTypeRow));

constexpr const DTypeRow& row_of(DType t) { return kDTypeRows[static_cast<int>(t)]; }

/// Returns the bytes of one element: 1 for bool, 16 for c128.
constexpr int64_t item_size(DType t) {
#define ERSATZ_ROW(dtype, short_name, long_name, type, bytes, ...) bytes,
  constexpr uint8_t sizes[kDTypeCount] = {ERSATZ_DTYPES(ERSATZ_ROW)};
#undef ERSATZ_ROW
  return sizes[static_cast<int>(t)];
}

/// Returns the short name, `f32`.
constexpr std::string_view name(DType t) { return row_of(t).short_name; }

/// Returns the dtype with this short name, or nullopt if there is none.
std::optional<DType> parse_dtype(std::string_view short_name);
/// Returns the dtype with this short or long name: `f32`, `float32`.
std::optional<DType> dtype_named(std::string_view name);
/// Returns the dtype with this number in c10::ScalarType. Schemas and PyTorch's callers pass dtypes as these numbers.
std::optional<DType> dtype_of_c10(int64_t number);

/// Returns PyTorch's name, which PyTorch's error messages contain: `float32`, `bfloat16`.
std::string_view long_name(DType t);

/// A set of dtypes, one bit each. Rules and kernel tables use it to declare the dtypes that they accept.
class DTypeSet {
 public:
  constexpr DTypeSet() = default;
  constexpr DTypeSet(std::initializer_list<DType> types) {
    for (DType t : types) bits_ |= bit(t);
  }
  constexpr bool has(DType t) const { return bits_ & bit(t); }
  constexpr DTypeSet operator|(DTypeSet o) const { return DTypeSet(bits_ | o.bits_); }
  constexpr DTypeSet without(DTypeSet o) const { return DTypeSet(bits_ & ~o.bits_); }
  constexpr bool operator==(const DTypeSet&) const = default;

  uint32_t bits_ = 0;  ///< public only so that a set may be a template argument

 private:
  constexpr explicit DTypeSet(uint32_t bits) : bits_(bits) {}
  static constexpr uint32_t bit(DType t) { return uint32_t{1} << static_cast<int>(t); }
};
static_assert(kDTypeCount <= 32);

/// Returns all dtypes of a kind.
constexpr DTypeSet dtypes_of(DTypeKind kind) {
  DTypeSet all;
  for (int i = 0; i < kDTypeCount; ++i) {
    if (kDTypeRows[i].kind == kind) all = all | DTypeSet{static_cast<DType>(i)};
  }
  return all;
}

namespace detail {
inline constexpr DTypeSet kFloatKind = dtypes_of(DTypeKind::Float), kComplexKind = dtypes_of(DTypeKind::Complex),
                          kUnsignedKind = dtypes_of(DTypeKind::Unsigned),
                          kIntegerKind = kUnsignedKind | dtypes_of(DTypeKind::Signed),
                          kIntegralKind = kIntegerKind | DTypeSet{DType::Bool};
}

constexpr bool is_complex(DType t) { return detail::kComplexKind.has(t); }
constexpr bool is_float(DType t) { return detail::kFloatKind.has(t); }
/// Returns whether the dtype is an integer and not bool.
constexpr bool is_integer(DType t) { return detail::kIntegerKind.has(t); }
constexpr bool is_integral(DType t) { return detail::kIntegralKind.has(t); }  ///< integers and bool
constexpr bool is_reduced_float(DType t) { return t == DType::F16 || t == DType::BF16; }
constexpr bool is_signed(DType t) { return t != DType::Bool && t != DType::F8E8M0FNU && !detail::kUnsignedKind.has(t); }
/// Returns whether one element holds several numbers, as f4e2m1fn_x2 does.
constexpr bool is_packed(DType t) { return row_of(t).lanes > 1; }

/// Returns f32 for c64, f64 for c128, f16 for c32, and any other dtype itself.
constexpr DType real_dtype(DType t) {
  return t == DType::C64 ? DType::F32 : t == DType::C128 ? DType::F64 : t == DType::C32 ? DType::F16 : t;
}
/// Returns c64 for f32, f16 and bf16, and c128 for f64. REQUIRES: is_float(t) or is_complex(t).
constexpr DType complex_dtype(DType t) { return is_complex(t) ? t : t == DType::F64 ? DType::C128 : DType::C64; }

inline constexpr DTypeSet kFloats{DType::F16, DType::BF16, DType::F32, DType::F64};
inline constexpr DTypeSet kComplexes{DType::C64, DType::C128};
inline constexpr DTypeSet kIntegers{DType::U8, DType::I8, DType::I16, DType::I32, DType::I64};
inline constexpr DTypeSet kBool{DType::Bool};
inline constexpr DTypeSet kReals = kIntegers | kFloats;
inline constexpr DTypeSet kNumbers = kReals | kComplexes;
/// The dtypes that most PyTorch operators support. A kernel is compiled for these only, unless it names others.
inline constexpr DTypeSet kAllDTypes = kNumbers | kBool;
/// The number of dtypes in kAllDTypes. These dtypes are the first rows of the table.
inline constexpr int kCommonDTypeCount = static_cast<int>(DType::C128) + 1;
/// The floats of 8 bits.
inline constexpr DTypeSet kFloat8s{DType::F8E4M3FN, DType::F8E5M2, DType::F8E4M3FNUZ, DType::F8E5M2FNUZ,
                                   DType::F8E8M0FNU};
inline constexpr DTypeSet kFloat4s{DType::F4E2M1FNx2};
/// The unsigned integers wider than u8.
inline constexpr DTypeSet kWideUnsigned{DType::U16, DType::U32, DType::U64};
inline constexpr DTypeSet kComplexHalf{DType::C32};
/// The dtypes that few PyTorch kernels support. kernels/limited_dtypes.def lists the operators that accept them.
inline constexpr DTypeSet kLimitedDTypes = kFloat8s | kFloat4s | kWideUnsigned | kComplexHalf;
inline constexpr DTypeSet kEveryDType = kAllDTypes | kLimitedDTypes;
static_assert([] {
  for (int i = 0; i < kDTypeCount; ++i) {
    if (!kEveryDType.has(static_cast<DType>(i))) return false;
  }
  return true;
}());
inline constexpr DTypeSet kFloatsAndComplexes = kFloats | kComplexes;

/// CppTypeOf maps a dtype to its C++ element type; DTypeOf maps back.
template <DType>
struct CppTypeOf;
template <class T>
struct DTypeOf;
#define ERSATZ_ROW(dtype, short_name, long_name, type, ...) \
  template <>                                               \
  struct CppTypeOf<DType::dtype> {                          \
    using T = type;                                         \
  };                                                        \
  template <>                                               \
  struct DTypeOf<type> {                                    \
    static constexpr DType value = DType::dtype;            \
  };
ERSATZ_DTYPES(ERSATZ_ROW)
#undef ERSATZ_ROW
template <class T>
inline constexpr DType dtype_of = DTypeOf<T>::value;

}  // namespace ersatz
