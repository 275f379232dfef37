// The types that CPU and CUDA kernels compute and accumulate in.
#pragma once

#include "kernels/pointwise/device_value.h"

namespace ersatz {

/// The type in which elements are compared, added and multiplied: float for f16 and bf16, else T.
template <class T>
using Compute_t = std::conditional_t<std::is_same_v<T, half> || std::is_same_v<T, bfloat16>, float, T>;

/// The type of accumulators: f64 for floats, c128 for complex numbers, and 64 bits that wrap around for integers.
template <class T>
using Total_t = std::conditional_t<std::is_integral_v<T>, uint64_t,
                                   std::conditional_t<kIsDeviceComplex<T>, DeviceComplex<double>, double>>;

}  // namespace ersatz
