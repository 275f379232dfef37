// Reference values for elementwise results: the standard library in double, one row at a time.
#pragma once

#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <string>

#include "kernels/pointwise/copy_engine.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::pointwise_test {

/// Allowed relative error of results with this dtype.
inline double tolerance(DType t) {
  switch (t) {
    case DType::F16:
      return 2e-3;
    case DType::BF16:
      return 2e-2;
    case DType::F32:
    case DType::C64:
      return 2e-6;
    case DType::F64:
    case DType::C128:
      return 1e-12;
    default:
      return 0;
  }
}

inline bool close(double seen, double expected, double relative) {
  if (std::isnan(expected)) return std::isnan(seen);
  if (seen == expected) return true;
  return std::abs(seen - expected) <= relative * std::max(1.0, std::abs(expected));
}

/// The x in [low, high] with f(x) = y, by bisection. REQUIRES: f is increasing.
inline double inverse(double y, double low, double high, double (*f)(double)) {
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (f(middle) < y ? low : high) = middle;
  }
  return low;
}

/// Computes digamma with its recurrence, up to a value for which two terms of the asymptotic series are enough.
inline double digamma(double x) {
  long double sum = 0, z = x;
  for (; z < 2000; ++z) sum -= 1 / z;
  return static_cast<double>(sum + std::log(z) - 1 / (2 * z) - 1 / (12 * z * z));
}

/// Computes the Airy function Ai: sums its Maclaurin series.
inline double airy_ai(double x) {
  long double f = 1, g = x, a = 1, b = x;
  for (int k = 1; k < 200; ++k) {
    a *= static_cast<long double>(x) * x * x / ((3 * k - 1) * (3 * k));
    b *= static_cast<long double>(x) * x * x / ((3 * k) * (3 * k + 1));
    f += a;
    g += b;
  }
  return static_cast<double>(0.35502805388781723926L * f - 0.25881940379280679840L * g);
}

/// The tensor's elements as doubles, in logical order.
inline std::vector<double> values_of(const Tensor& t) {
  Tensor plain = make_real_tensor(TensorMeta(DType::F64, t.sizes()));
  pointwise::copy_tensor(plain, t);
  const double* v = plain.data<double>();
  return {v, v + plain.numel().as_int()};
}

/// Elements spread over [low, high], rounded to the dtype, in a tensor with the given strides.
inline Tensor spread(DType dtype, std::span<const SymInt> sizes, std::span<const SymInt> strides, double low,
                     double high, int seed = 1) {
  std::mt19937 random(seed);
  TensorMeta plain(dtype, sizes);
  std::vector<double> values(plain.numel().as_int());
  for (double& v : values) {
    v = low + (high - low) * (random() % 4096) / 4095.0;
    if (is_integral(dtype)) v = std::round(v);
    if (!is_signed(dtype) && v < 0) v = -v;
  }
  Tensor source = tensor_from_values(dtype, values, sizes);
  Tensor t = make_real_tensor(TensorMeta(dtype, sizes, strides));
  pointwise::copy_tensor(t, source);
  return t;
}

}  // namespace ersatz::pointwise_test
