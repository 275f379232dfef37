// One element on the device: read from any dtype as another, written back. Device code.
#pragma once

#include <complex>
#include <limits>
#include <type_traits>

#include "runtime/base/dtype.h"
#include "runtime/cuda/device_code.h"
#include "runtime/cuda/device_complex.h"

namespace ersatz {

/// What device code computes with for an element type of the host: complex numbers are libcu++'s there.
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

template <class T>
inline constexpr DType kDeviceDType = dtype_of<T>;
#if defined(__CUDACC__)
template <class T>
inline constexpr DType kDeviceDType<DeviceComplex<T>> = dtype_of<std::complex<T>>;
#endif

/// The integer of 32 or 64 bits that a GPU's conversion makes (PTX `cvt.rzi`): towards zero; of a number beyond its
/// range the nearer end; of NaN the smallest, but 0 from f32 to 32 bits. On the host a cast of these is undefined.
template <class Int, class From>
ERSATZ_DEVICE Int clamped_integer(From from) {
  static_assert(std::is_same_v<Int, int32_t> || std::is_same_v<Int, int64_t>);
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Int) == 4)
    return sizeof(From) == 4 ? __float2int_rz(from) : __double2int_rz(from);
  else
    return sizeof(From) == 4 ? __float2ll_rz(from) : __double2ll_rz(from);
#else
  using Limits = std::numeric_limits<Int>;
  constexpr From kEnd = -static_cast<From>(Limits::min());  // the first number above the range
  if (from != from) return sizeof(From) == 4 && sizeof(Int) == 4 ? Int(0) : Limits::min();
  return from >= kEnd ? Limits::max() : from < -kEnd ? Limits::min() : static_cast<Int>(from);
#endif
}

/// As PyTorch's CUDA kernels convert: to bool what is not 0, to a real number the real part, half types by way of
/// float, a float to an integer by way of i32, or of i64 to i64 and u8; small integers keep the lowest bits of that.
template <class To, class From>
ERSATZ_DEVICE To convert_value(const From& from) {
  if constexpr (std::is_same_v<To, From>) {
    return from;
  } else if constexpr (std::is_same_v<From, half> || std::is_same_v<From, bfloat16>) {
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
  } else if constexpr (std::is_same_v<To, half> || std::is_same_v<To, bfloat16>) {
    return To(static_cast<float>(from));
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    using Int = std::conditional_t<std::is_same_v<To, int64_t> || std::is_same_v<To, uint8_t>, int64_t, int32_t>;
    return static_cast<To>(clamped_integer<Int>(from));
  } else {
    return static_cast<To>(from);
  }
}

/// The element at `at`, stored as `dtype`, as a T. One function per T, not one per kernel.
template <class T>
ERSATZ_DEVICE_CALL T load_as(const std::byte* at, DType dtype) {
  switch (dtype) {
#define ERSATZ_LOAD(D, Type) \
  case DType::D:             \
    return convert_value<T>(*reinterpret_cast<const Type*>(at));
    ERSATZ_LOAD(Bool, bool)
    ERSATZ_LOAD(U8, uint8_t)
    ERSATZ_LOAD(I8, int8_t)
    ERSATZ_LOAD(I16, int16_t)
    ERSATZ_LOAD(I32, int32_t)
    ERSATZ_LOAD(I64, int64_t)
    ERSATZ_LOAD(F16, half)
    ERSATZ_LOAD(BF16, bfloat16)
    ERSATZ_LOAD(F32, float)
    ERSATZ_LOAD(F64, double)
    ERSATZ_LOAD(C64, DeviceComplex<float>)
    ERSATZ_LOAD(C128, DeviceComplex<double>)
#undef ERSATZ_LOAD
  }
  return T();
}

}  // namespace ersatz
