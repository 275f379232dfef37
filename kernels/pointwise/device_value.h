// Loads one element of any dtype as another type on the device, and stores it. Device code.
#pragma once

#include <complex>
#include <limits>
#include <type_traits>

#include "runtime/base/dtype.h"
#include "runtime/cuda/device_code.h"
#include "runtime/cuda/device_complex.h"

namespace ersatz {

/// The device type for an element type of the host. For std::complex it is libcu++'s complex type.
template <class T>
struct DeviceTypeOf {
  using type = T;
};
template <class T>
struct DeviceTypeOf<std::complex<T>> {
  using type = DeviceComplex<T>;
};
template <class T>
using DeviceType_t = typename DeviceTypeOf<T>::type;

template <class T>
inline constexpr bool kIsDeviceComplex = false;
template <class T>
inline constexpr bool kIsDeviceComplex<DeviceComplex<T>> = true;
template <>
inline constexpr bool kIsDeviceComplex<complex_half> = true;

/// Whether T is a float type for storage only: it is loaded as float, and stored by rounding a float.
template <class T>
inline constexpr bool kIsStoredFloat = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
template <int Exponent, int Bias, Overflow Beyond>
inline constexpr bool kIsStoredFloat<SmallFloat<Exponent, Bias, Beyond>> = true;
template <>
inline constexpr bool kIsStoredFloat<float8_e8m0fnu> = true;

template <class T>
inline constexpr DType kDeviceDType = dtype_of<T>;
#if defined(__CUDACC__)
template <class T>
inline constexpr DType kDeviceDType<DeviceComplex<T>> = dtype_of<std::complex<T>>;
#endif

/// Converts to an integer of 32 or 64 bits like a GPU (PTX `cvt.rzi`), rounding towards zero. A number beyond the range
/// gives the nearest number of the range. NaN gives the integer with only its highest bit set, but 0 from f32 to 32
/// bits. On the host, these results are computed explicitly, because a cast of these numbers is undefined behaviour
/// there.
template <class Int, class From>
ERSATZ_DEVICE Int clamped_integer(From from) {
  static_assert(std::is_integral_v<Int> && (sizeof(Int) == 4 || sizeof(Int) == 8));
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_unsigned_v<Int>)
    return static_cast<Int>(from);
  else if constexpr (sizeof(Int) == 4)
    return sizeof(From) == 4 ? __float2int_rz(from) : __double2int_rz(from);
  else
    return sizeof(From) == 4 ? __float2ll_rz(from) : __double2ll_rz(from);
#else
  using Limits = std::numeric_limits<Int>;
  constexpr From kEnd = 2 * static_cast<From>(Int(1) << (Limits::digits - 1));  // the first number above the range
  constexpr int kBits = 8 * sizeof(Int);
  if (from != from) return sizeof(From) == 4 && kBits == 32 ? Int(0) : static_cast<Int>(uint64_t(1) << (kBits - 1));
  const bool below = std::is_unsigned_v<Int> ? from < 0 : from < -kEnd;
  return from >= kEnd ? Limits::max() : below ? Limits::min() : static_cast<Int>(from);
#endif
}

/// Converts like PyTorch's CUDA kernels. A bool is `from != 0`; a complex number gives its real part; floats of 16 and
/// 8 bits become float first. A float becomes an integer by way of i32 (by way of i64 if the result is i64 or u8), and
/// small integers keep the lowest bits. A float becomes u32 or u64 directly, and u16 by way of u32.
template <class To, class From>
ERSATZ_DEVICE To convert_value(const From& from) {
  if constexpr (std::is_same_v<To, From>) {
    return from;
  } else if constexpr (kIsStoredFloat<From>) {
    return convert_value<To>(static_cast<float>(from));
  } else if constexpr (kIsDeviceComplex<From>) {
    if constexpr (kIsDeviceComplex<To>) {
      using Part = typename To::value_type;
      return To(static_cast<Part>(from.real()), static_cast<Part>(from.imag()));
    } else if constexpr (std::is_same_v<To, bool>) {
      return from.real() != 0 || from.imag() != 0;
    } else {
      return convert_value<To>(from.real());
    }
  } else if constexpr (kIsDeviceComplex<To>) {
    using Part = typename To::value_type;
    return To(convert_value<Part>(from), Part(0));
  } else if constexpr (std::is_same_v<To, bool>) {
    return from != From(0);
  } else if constexpr (kIsStoredFloat<To>) {
    return To(static_cast<float>(from));
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    constexpr bool kByI64 = std::is_same_v<To, int64_t> || std::is_same_v<To, uint8_t>;
    constexpr bool kUnsigned = std::is_unsigned_v<To> && !kByI64;
    using Unsigned = std::conditional_t<sizeof(To) == 8, uint64_t, uint32_t>;
    using Int = std::conditional_t<kUnsigned, Unsigned, std::conditional_t<kByI64, int64_t, int32_t>>;
    return static_cast<To>(clamped_integer<Int>(from));
  } else {
    return static_cast<To>(from);
  }
}

/// Loads the element at `at`, stored as `dtype`, as a T. The function is not inlined: it is compiled once for each T.
/// REQUIRES: From.has(dtype).
template <class T, DTypeSet From = kAllDTypes>
ERSATZ_DEVICE_CALL T load_as(const std::byte* at, DType dtype) {
  switch (dtype) {
#define ERSATZ_LOAD(D, short_name, long_name, Type, ...)                                                         \
  case DType::D:                                                                                                 \
    if constexpr (From.has(DType::D)) return convert_value<T>(*reinterpret_cast<const DeviceType_t<Type>*>(at)); \
    break;
    ERSATZ_DTYPES(ERSATZ_LOAD)
#undef ERSATZ_LOAD
  }
  return T();
}

}  // namespace ersatz
