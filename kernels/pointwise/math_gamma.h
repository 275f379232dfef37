// The incomplete gamma functions, Hurwitz's zeta function and the derivatives of digamma. Float is computed in double,
// trigamma aside. Internal linkage, like vec.h.
//
// Source: NIST Digital Library of Mathematical Functions, 8.7, 8.9, 8.12 (incomplete gamma), 25.11 (zeta), 5.15
// (polygamma).
#pragma once

#include <cmath>

#include "kernels/pointwise/math_special.h"

namespace ersatz::vec {
namespace {
namespace m {

/// x^a exp(-x) / Gamma(a + 1).
ERSATZ_HD inline double gamma_density(double a, double x) {
  if (a < 20 || std::fabs(x - a) > 0.9 * a) return std::exp(a * std::log(x) - x - std::lgamma(a + 1));
  // Large a: exp(-a (u - log(1 + u))) over Stirling's series, which keeps the digits that a log x - x would lose.
  const double u = (x - a) / a, z = 1 / (a * a);
  const double correction = (1. / 12 - z * (1. / 360 - z * (1. / 1260 - z / 1680))) / a;
  return std::exp(a * (std::log1p(u) - u) - correction) / std::sqrt(2 * kPi * a);
}
/// The lower function's power series, 8.7.1: few terms where x is below a.
ERSATZ_HD inline double lower_gamma_series(double a, double x) {
  double term = 1, sum = 1;
  for (int k = 1; k < 20000 && term > sum * 1e-17; ++k) {
    term *= x / (a + k);
    sum += term;
  }
  return sum * gamma_density(a, x);
}
/// The upper function's continued fraction, 8.9.2, by Lentz's method: few terms where x is above a.
ERSATZ_HD inline double upper_gamma_fraction(double a, double x) {
  constexpr double kTiny = 1e-300;
  double b = x + 1 - a, c = 1 / kTiny, d = 1 / b, h = d;
  for (int k = 1; k < 20000; ++k) {
    const double an = -k * (k - a);
    b += 2;
    d = an * d + b;
    if (std::fabs(d) < kTiny) d = kTiny;
    c = b + an / c;
    if (std::fabs(c) < kTiny) c = kTiny;
    d = 1 / d;
    const double step = d * c;
    h *= step;
    if (std::fabs(step - 1) < 1e-16) break;
  }
  return h * gamma_density(a, x) * a;
}

/// The regularised upper function Q where `upper`, else the lower one P = 1 - Q.
ERSATZ_HD inline double regularised_gamma(double a, double x, bool upper) {
  if (!(x >= 0 && a >= 0)) return kNaN;
  if (a == 0) return x > 0 ? (upper ? 0 : 1) : kNaN;
  if (x == 0) return upper ? 1 : 0;
  if (std::isinf(a)) return std::isinf(x) ? kNaN : (upper ? 1 : 0);
  if (std::isinf(x)) return upper ? 0 : 1;
  if (x < a + 1) {
    const double lower = lower_gamma_series(a, x);
    return upper ? 1 - lower : lower;
  }
  const double above = upper_gamma_fraction(a, x);
  return upper ? above : 1 - above;
}
ERSATZ_HD inline double igamma(double a, double x) { return regularised_gamma(a, x, false); }
ERSATZ_HD inline double igammac(double a, double x) { return regularised_gamma(a, x, true); }

/// The sum of (q + k)^-s over k: ten terms and more until q + k is above 9, then Euler and Maclaurin's, 25.11.5.
ERSATZ_HD inline double zeta(double s, double q) {
  if (s == 1) return kInfinity;
  if (!(s > 1) || q != q) return kNaN;
  if (q <= 0) {
    if (q == std::floor(q)) return kInfinity;
    if (s != std::floor(s)) return kNaN;
  }
  double sum = std::pow(q, -s), a = q;
  for (int k = 0; k < 9 || a <= 9; ++k) {
    a += 1;
    const double term = std::pow(a, -s);
    sum += term;
    if (std::fabs(term) < std::fabs(sum) * 1e-17) return sum;
  }
  const double last = std::pow(a, -s);
  sum += last * a / (s - 1) - last / 2;
  // B_2k / (2k)!
  constexpr double kBernoulli[] = {1. / 12,           -1. / 720,
                                   1. / 30240,        -1. / 1209600,
                                   1. / 47900160,     -691. / 1307674368000,
                                   1. / 74724249600., -3617. / 10670622842880000.};
  double factor = last * s / a;
  for (int k = 0; k < 8; ++k) {
    const double term = kBernoulli[k] * factor;
    sum += term;
    if (std::fabs(term) < std::fabs(sum) * 1e-17) break;
    factor *= (s + 2 * k + 1) * (s + 2 * k + 2) / (a * a);
  }
  return sum;
}

/// Of negative arguments by reflection, in the type itself: at a whole one the sine of a multiple of pi is no zero.
template <class T>
ERSATZ_HD T trigamma(T x) {
  T reflected = 0;
  const bool reflects = x < T(0.5);
  if (reflects) {
    const T sine = std::sin(static_cast<T>(kPi) * x);
    reflected = static_cast<T>(kPi * kPi) / (sine * sine);
    x = 1 - x;
  }
  const auto value = static_cast<T>(zeta(2., static_cast<double>(x)));
  return reflects ? reflected - value : value;
}
/// The derivative of order n of digamma, n at least 2.
ERSATZ_HD inline double polygamma_above_one(double n, double x) {
  const double size = std::exp(std::lgamma(n + 1)) * zeta(n + 1, x);
  return std::fmod(n, 2) != 0 ? size : -size;
}

#define ERSATZ_FLOAT(name)                                                           \
  ERSATZ_HD inline float name(float x, float y) {                                    \
    return static_cast<float>(name(static_cast<double>(x), static_cast<double>(y))); \
  }
ERSATZ_FLOAT(igamma)
ERSATZ_FLOAT(igammac)
ERSATZ_FLOAT(zeta)
ERSATZ_FLOAT(polygamma_above_one)
#undef ERSATZ_FLOAT

}  // namespace m
}  // namespace
}  // namespace ersatz::vec
