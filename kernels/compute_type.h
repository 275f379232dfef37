// What numbers of a dtype are computed in, for the CPU and CUDA alike.
#pragma once

#include "kernels/pointwise/device_value.h"

namespace ersatz {

/// f16 and bf16 are compared, added and multiplied as floats, all others as themselves.
template <class T>
using Compute_t = std::conditional_t<std::is_same_v<T, half> || std::is_same_v<T, bfloat16>, float, T>;

/// What totals are kept in: floats in f64, complex numbers in c128, integers in 64 bits, which wrap around.
template <class T>
using Total_t = std::conditional_t<std::is_integral_v<T>, uint64_t,
                                   std::conditional_t<kIsDeviceComplex<T>, DeviceComplex<double>, double>>;

}  // namespace ersatz
