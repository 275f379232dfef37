// One element on the device: read from any dtype as another, written back. Device code.
#pragma once

#include <complex>

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

/// As PyTorch converts: to bool what is not 0, to a real number the real part, half types by way of float.
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
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From> && sizeof(To) < 8) {
    return static_cast<To>(static_cast<int64_t>(from));  // small integers wrap
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
