// Functions related to the gamma function, in double and float: Hurwitz zeta, polygamma, incomplete gamma. Also
// mantissa and exponent of a float. Internal linkage, like vec.h.
#pragma once

#include <cstdint>

#include "kernels/pointwise/math_special.h"

namespace ersatz::vec {
namespace {
namespace m {

/// Returns the sum of (q + k)^-x over k >= 0. Terms up to q + k > 9 are added; the Euler-Maclaurin formula (DLMF
/// 25.11.7) gives the rest.
ERSATZ_HD inline double zeta(double x, double q) {
  constexpr double kEpsilon = 1.1e-16;
  // Bernoulli numbers divided by factorials: B(2j) / (2j)!.
  constexpr double kBernoulli[] = {1. / 12,           -1. / 720,
                                   1. / 30240,        -1. / 1209600,
                                   1. / 47900160,     -691. / 1307674368000.,
                                   1. / 74724249600., -3617. / 10670622842880000.};
  if (x == 1) return kInfinity;
  if (x < 1) return kNaN;
  if (q <= 0) {
    if (q == std::floor(q)) return kInfinity;
    if (x != std::floor(x)) return kNaN;
  }
  if (x != x || q != q) return kNaN;
  double sum = std::pow(q, -x), at = q, term = sum;
  for (int k = 0; k < 9 || at <= 9; ++k) {
    at += 1;
    term = std::pow(at, -x);
    sum += term;
    if (std::fabs(term) < kEpsilon * std::fabs(sum)) return sum;
  }
  sum += term * at / (x - 1) - term / 2;
  double rising = x;
  term /= at;
  for (int j = 0; j < 8; ++j) {
    const double correction = kBernoulli[j] * rising * term;
    sum += correction;
    if (std::fabs(correction) < kEpsilon * std::fabs(sum)) break;
    rising *= (x + 2 * j + 1) * (x + 2 * j + 2);
    term /= at * at;
  }
  return sum;
}
ERSATZ_HD inline float zeta(float x, float q) {
  return static_cast<float>(zeta(static_cast<double>(x), static_cast<double>(q)));
}

/// Returns the derivative of digamma by six steps of its recurrence and its asymptotic series; below 1/2 by reflection.
template <class T>
ERSATZ_HD T trigamma(T x) {
  T sum = T(0);
  const bool reflected = x < T(0.5);
  if (reflected) {
    const T sine = std::sin(T(kPi) * x);
    sum = -T(kPi * kPi) / (sine * sine);
    x = T(1) - x;
  }
  for (int k = 0; k < 6; ++k, x += T(1)) sum += T(1) / (x * x);
  const T z = T(1) / (x * x);
  sum += (T(1) + T(1) / (x + x) + z * (T(1) / T(6) - z * (T(1) / T(30) - z / T(42)))) / x;
  return reflected ? -sum : sum;
}
/// Returns derivative n of digamma. REQUIRES: n >= 2.
template <class T>
ERSATZ_HD T polygamma(T n, T x) {
  const T size = std::exp(std::lgamma(n + T(1)));
  return (std::fmod(n, T(2)) == T(0) ? -size : size) * zeta(n + T(1), x);
}

/// Returns x^a exp(-x) / Gamma(a). For a large a near x it uses Stirling's series, because the terms of the exponent
/// would cancel.
ERSATZ_HD inline double gamma_density(double a, double x) {
  const double apart = (x - a) / a;
  if (a < 20 || std::fabs(apart) > 0.5) return std::exp(a * std::log(x) - x - std::lgamma(a));
  const double z = 1 / (a * a), stirling = (1. / 12 - z * (1. / 360 - z * (1. / 1260 - z / 1680))) / a;
  return std::sqrt(a / (2 * kPi)) * std::exp(a * (std::log1p(apart) - apart) - stirling);
}
/// Returns the regularised lower incomplete gamma function by its power series (DLMF 8.11.4). REQUIRES: x is at most
/// about a.
ERSATZ_HD inline double lower_gamma(double a, double x) {
  double term = 1 / a, sum = term;
  for (int k = 1; k < 20000 && term > 1e-17 * sum; ++k) {
    term *= x / (a + k);
    sum += term;
  }
  return sum * gamma_density(a, x);
}
/// Returns the regularised upper incomplete gamma function by its continued fraction (DLMF 8.9.2), with Lentz's method.
/// REQUIRES: x > a.
ERSATZ_HD inline double upper_gamma(double a, double x) {
  double b = x + 1 - a, c = 1e300, d = 1 / b, value = d;
  for (int k = 1; k < 20000; ++k) {
    const double numerator = -k * (k - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    value *= c * d;
    if (std::fabs(c * d - 1) < 1e-16) break;
  }
  return value * gamma_density(a, x);
}
/// Returns Gamma(a, x) / Gamma(a) for small x. The formula 1 - lower_gamma(a, x) would lose digits by cancellation.
ERSATZ_HD inline double upper_gamma_near(double a, double x) {
  double power = 1, sum = 0;
  for (int k = 1; k < 100; ++k) {
    power *= -x / k;
    const double term = power / (a + k);
    sum += term;
    if (std::fabs(term) <= 1e-17 * std::fabs(sum)) break;
  }
  const double log_term = a * std::log(x) - std::lgamma(1 + a);
  return -std::expm1(log_term) - a * std::exp(log_term) * sum;
}
/// Returns the regularised incomplete gamma function, upper or lower. The upper and the lower function add up to 1.
ERSATZ_HD inline double incomplete_gamma(double a, double x, bool upper) {
  if (a < 0 || x < 0) return kNaN;
  if (a == 0) return x > 0 ? (upper ? 0 : 1) : kNaN;
  if (x == 0) return upper ? 1 : 0;
  if (std::isinf(a)) return std::isinf(x) ? kNaN : upper ? 1 : 0;
  if (std::isinf(x)) return upper ? 0 : 1;
  if (a != a || x != x) return kNaN;
  if (upper && x <= 1.1 && a < 1) return upper_gamma_near(a, x);
  const bool below = x <= 1 || x <= a;
  const double value = below ? lower_gamma(a, x) : upper_gamma(a, x);
  return below == upper ? 1 - value : value;
}
ERSATZ_HD inline double igamma(double a, double x) { return incomplete_gamma(a, x, false); }
ERSATZ_HD inline double igammac(double a, double x) { return incomplete_gamma(a, x, true); }
ERSATZ_HD inline float igamma(float a, float x) { return static_cast<float>(incomplete_gamma(a, x, false)); }
ERSATZ_HD inline float igammac(float a, float x) { return static_cast<float>(incomplete_gamma(a, x, true)); }

/// Returns the mantissa m of x = m * 2^exponent, with |m| in [0.5, 1). Returns an infinity or NaN itself.
template <class T>
ERSATZ_HD T frexp_mantissa(T x) {
  int exponent = 0;
  return x - x == T(0) ? std::frexp(x, &exponent) : x;
}
template <class T>
ERSATZ_HD int32_t frexp_exponent(T x) {
  int exponent = 0;
  if (x - x == T(0)) static_cast<void>(std::frexp(x, &exponent));
  return exponent;
}

}  // namespace m
}  // namespace
}  // namespace ersatz::vec
