// What running sums and products are kept in: halves in f32, f32 in f64, rounded once per element; integers wrap
// around.
#pragma once

#include <cstdint>

#include "kernels/pointwise/device_value.h"

namespace ersatz {

template <class T>
struct Running {
  using type = uint64_t;
};
template <>
struct Running<half> {
  using type = float;
};
template <>
struct Running<bfloat16> {
  using type = float;
};
template <>
struct Running<float> {
  using type = double;
};
template <>
struct Running<double> {
  using type = double;
};
template <>
struct Running<DeviceComplex<float>> {
  using type = DeviceComplex<double>;
};
template <>
struct Running<DeviceComplex<double>> {
  using type = DeviceComplex<double>;
};
template <class T>
using Running_t = typename Running<T>::type;

}  // namespace ersatz
