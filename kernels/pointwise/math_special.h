// Special functions of one number in double and float; float is computed in double. Each uses a series where it
// converges quickly, an asymptotic expansion elsewhere, and libm if it has the function. The relative error is below
// 1e-12. Internal linkage, like vec.h.
#pragma once

#include <cmath>

#include "kernels/vec/formulas.h"

namespace ersatz::vec {
namespace {
namespace m {

constexpr double kPi = 3.14159265358979323846;
constexpr double kNaN = __builtin_nan("");

/// Returns digamma(x): by the recurrence up to 10, then the Bernoulli series; by reflection for negative numbers.
ERSATZ_HD inline double digamma(double x) {
  if (x == 0) return std::copysign(kInfinity, -x);
  if (x < 0) {
    double whole = std::trunc(x);
    if (whole == x) return kNaN;
    return digamma(1 - x) - kPi / std::tan(kPi * (x - whole));
  }
  double sum = 0;
  for (; x < 10; x += 1) sum -= 1 / x;
  if (std::isinf(x)) return x;
  double z = 1 / (x * x);
  double series =
      z * (1. / 12 - z * (1. / 120 - z * (1. / 252 - z * (1. / 240 - z * (1. / 132 - z * (691. / 32760 - z / 12))))));
  return sum + std::log(x) - 0.5 / x - series;
}

/// Returns exp(x^2) erfc(x).
ERSATZ_HD inline double erfcx(double x) {
  if (x < -26.7) return kInfinity;
  if (x < 10) return std::exp(x * x) * std::erfc(x);
  double z = 1 / (2 * x * x), term = 1, sum = 1;
  for (int k = 1; k < 12; ++k) {
    term *= -(2 * k - 1) * z;
    sum += term;
  }
  return sum / (x * std::sqrt(kPi));
}

/// Returns the quantile of the normal distribution. Hastings' approximation gives a start value within 1e-2; Newton
/// steps with Halley's correction follow.
ERSATZ_HD inline double ndtri(double p) {
  if (!(p >= 0 && p <= 1)) return kNaN;
  if (p == 0) return -kInfinity;
  if (p == 1) return kInfinity;
  const bool upper = p > 0.5;
  const double q = upper ? 1 - p : p;
  double t = std::sqrt(-2 * std::log(q));
  double x = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (int i = 0; i < 4; ++i) {
    double density = std::exp(-0.5 * x * x) / std::sqrt(2 * kPi);
    if (density == 0) break;
    double error = 0.5 * std::erfc(-x / std::sqrt(2.0)) - q;
    double step = error / density;
    x -= step / (1 + 0.5 * x * step);
  }
  return upper ? -x : x;
}

/// Returns the inverse of erf by Newton steps with Halley's correction. Near 1 and -1 it starts from ndtri, whose tail
/// is accurate.
ERSATZ_HD inline double erfinv(double y) {
  if (!(y >= -1 && y <= 1)) return kNaN;
  if (y == 1 || y == -1) return y * kInfinity;
  const double size = std::fabs(y);
  double x = size > 0.5 ? -ndtri((1 - size) / 2) / std::sqrt(2.0) : size * 0.5 * std::sqrt(kPi);
  for (int i = 0; i < (size > 0.5 ? 1 : 5); ++i) {
    double step = (std::erf(x) - size) / (2 / std::sqrt(kPi) * std::exp(-x * x));
    x -= step / (1 + x * step);
  }
  return std::copysign(x, y);
}

ERSATZ_HD inline double log_ndtr(double x) {
  const double t = x / std::sqrt(2.0);
  return x < -1 ? std::log(erfcx(-t) / 2) - t * t : std::log1p(-std::erfc(t) / 2);
}

// Returns exp(-|x|) times the modified Bessel function I of order 0 or 1. Below 30 it uses the power series, whose
// terms are all positive. From 30 on it uses an asymptotic series.
ERSATZ_HD inline double scaled_bessel_i(int order, double x) {
  if (std::isinf(x)) return 0;
  if (x < 30) {
    double term = order == 0 ? 1 : x / 2, sum = term;
    const double z = x * x / 4;
    for (int k = 1; term > sum * 1e-17 && k < 200; ++k) {
      term *= z / (double(k) * (k + order));
      sum += term;
    }
    return sum * std::exp(-x);
  }
  double term = 1, sum = 1;
  const double mu = 4.0 * order * order;
  for (int k = 1; k < 30; ++k) {
    double odd = 2 * k - 1;
    term *= -(mu - odd * odd) / (k * 8 * x);
    sum += term;
    if (std::fabs(term) < 1e-17) break;
  }
  return sum / std::sqrt(2 * kPi * x);
}
ERSATZ_HD inline double bessel_i0e(double x) { return x != x ? x : scaled_bessel_i(0, std::fabs(x)); }
ERSATZ_HD inline double bessel_i1e(double x) { return x != x ? x : std::copysign(scaled_bessel_i(1, std::fabs(x)), x); }
ERSATZ_HD inline double bessel_i0(double x) { return bessel_i0e(x) * std::exp(std::fabs(x)); }
ERSATZ_HD inline double bessel_i1(double x) { return bessel_i1e(x) * std::exp(std::fabs(x)); }

/// Returns exp(x) K(x) of order `order` by the trapezoidal rule, for the integral of exp(-x cosh t) cosh(order t) (DLMF
/// 10.32.9). The error is about exp(-pi^2 / step), and for large x exp(-2 pi^2 / (x step^2)). REQUIRES: x > 0.
ERSATZ_HD inline double bessel_k_integral(double order, double x) {
  const double narrow = 0.6 / std::sqrt(x), step = narrow < 0.2 ? narrow : 0.2;
  double sum = 0.5;
  for (int i = 1; i < 400; ++i) {
    const double t = i * step, term = std::exp(-x * (std::cosh(t) - 1)) * std::cosh(order * t);
    sum += term;
    if (term < sum * 1e-18) break;
  }
  return sum * step;
}

ERSATZ_HD inline double scaled_bessel_k(int order, double x) {
  if (x != x || x < 0) return kNaN;
  if (x == 0) return kInfinity;
  // For tiny x, the first term of the series is exact enough.
  if (x < 1e-9) return (order == 0 ? -std::log(x / 2) - 0.577215664901532861 : 1 / x) * (1 + x);
  if (x < 30) return bessel_k_integral(order, x);
  double term = 1, sum = 1;
  const double mu = 4.0 * order * order;
  for (int k = 1; k < 30; ++k) {
    double odd = 2 * k - 1;
    term *= (mu - odd * odd) / (k * 8 * x);
    sum += term;
    if (std::fabs(term) < 1e-17) break;
  }
  return sum * std::sqrt(kPi / (2 * x));
}
ERSATZ_HD inline double bessel_k0e(double x) { return scaled_bessel_k(0, x); }
ERSATZ_HD inline double bessel_k1e(double x) { return scaled_bessel_k(1, x); }
ERSATZ_HD inline double bessel_k0(double x) { return scaled_bessel_k(0, x) * std::exp(-x); }
ERSATZ_HD inline double bessel_k1(double x) { return scaled_bessel_k(1, x) * std::exp(-x); }

ERSATZ_HD inline double bessel_j0(double x) { return ::j0(x); }
ERSATZ_HD inline double bessel_j1(double x) { return ::j1(x); }
ERSATZ_HD inline double bessel_y0(double x) { return x < 0 ? kNaN : ::y0(x); }
ERSATZ_HD inline double bessel_y1(double x) { return x < 0 ? kNaN : ::y1(x); }

/// Returns sin(x) / x. Near 0 it uses a series, because the quotient would lose digits.
ERSATZ_HD inline double spherical_j0(double x) {
  if (std::isinf(x)) return 0;
  if (std::fabs(x) < 0.5) {
    double z = x * x;
    return 1 - z / 6 * (1 - z / 20 * (1 - z / 42 * (1 - z / 72 * (1 - z / 110))));
  }
  return std::sin(x) / x;
}

// Remainder and floor division as in Python: the quotient is rounded down, and the remainder has the divisor's sign.
template <class T>
ERSATZ_HD T float_remainder(T a, T b) {
  T r = std::fmod(a, b);
  return r != 0 && (b < 0) != (r < 0) ? r + b : r;
}
template <class T>
ERSATZ_HD T float_floor_divide(T a, T b) {
  if (b == 0) return a / b;
  T r = std::fmod(a, b), q = (a - r) / b;
  if (r != 0 && (b < 0) != (r < 0)) q -= 1;
  if (q == 0) return std::copysign(T(0), a / b);
  T whole = std::floor(q);
  return q - whole > T(0.5) ? whole + 1 : whole;
}
ERSATZ_HD inline float remainder(float a, float b) { return float_remainder(a, b); }
ERSATZ_HD inline double remainder(double a, double b) { return float_remainder(a, b); }
ERSATZ_HD inline float floor_divide(float a, float b) { return float_floor_divide(a, b); }
ERSATZ_HD inline double floor_divide(double a, double b) { return float_floor_divide(a, b); }

#define ERSATZ_FLOAT(name) \
  ERSATZ_HD inline float name(float x) { return static_cast<float>(name(static_cast<double>(x))); }
ERSATZ_FLOAT(digamma)
ERSATZ_FLOAT(erfcx)
ERSATZ_FLOAT(ndtri)
ERSATZ_FLOAT(erfinv)
ERSATZ_FLOAT(log_ndtr)
ERSATZ_FLOAT(bessel_i0)
ERSATZ_FLOAT(bessel_i1)
ERSATZ_FLOAT(bessel_i0e)
ERSATZ_FLOAT(bessel_i1e)
ERSATZ_FLOAT(bessel_k0)
ERSATZ_FLOAT(bessel_k1)
ERSATZ_FLOAT(bessel_k0e)
ERSATZ_FLOAT(bessel_k1e)
ERSATZ_FLOAT(bessel_j0)
ERSATZ_FLOAT(bessel_j1)
ERSATZ_FLOAT(bessel_y0)
ERSATZ_FLOAT(bessel_y1)
ERSATZ_FLOAT(spherical_j0)
#undef ERSATZ_FLOAT

}  // namespace m
}  // namespace
}  // namespace ersatz::vec
