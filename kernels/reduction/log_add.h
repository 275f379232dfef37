// log_add returns log(exp(a) + exp(b)), computed in double, on the CPU and on CUDA.
#pragma once

#include <cmath>
#include <limits>

#include "runtime/cuda/device_complex.h"

namespace ersatz {

/// If a and b are the same infinity, returns it, because the difference a - b would be NaN.
ERSATZ_HD_CALL inline double log_add(double a, double b) {
  if (a != a || b != b) return std::numeric_limits<double>::quiet_NaN();
  const double low = a < b ? a : b, high = a < b ? b : a;
  return low == high && low - low != 0 ? low : std::log1p(std::exp(low - high)) + high;
}

ERSATZ_HD_CALL inline DeviceComplex<double> log_add(const DeviceComplex<double>& a, const DeviceComplex<double>& b) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kTurn = 6.283185307179586;
  if (a.real() != a.real() || a.imag() != a.imag() || b.real() != b.real() || b.imag() != b.imag()) {
    return {kNan, kNan};
  }
  const bool ordered = a.real() < b.real();
  const DeviceComplex<double> low = ordered ? a : b, high = ordered ? b : a;
  if (low.real() == -kInfinity || high.real() == kInfinity) return high;
  const DeviceComplex<double> result = complex_math::log(1.0 + complex_math::exp(low - high)) + high;
  return {result.real(), std::remainder(result.imag(), kTurn)};
}

}  // namespace ersatz
