// The Airy function Ai of one number. Float is computed in double. The error is below 1e-12: relative, but absolute
// near zeros of Ai. Internal linkage, like vec.h.
#pragma once

#include "kernels/pointwise/math_special.h"

namespace ersatz::vec {
namespace {
namespace m {

/// Returns Ai(-size) for a large `size` by its asymptotic series (DLMF 9.7.9). The phase is zeta + pi / 4 with zeta =
/// 2/3 size^(3/2). zeta is a sum of two doubles: one double would lose as many digits as zeta has before the decimal
/// point.
ERSATZ_HD inline double airy_ai_far_left(double size) {
  const double root = std::sqrt(size), root_low = std::fma(-root, root, size) / (2 * root);
  const double cube = size * root, cube_low = std::fma(size, root, -cube) + size * root_low;
  const double zeta = 2 * cube / 3, zeta_low = (std::fma(-zeta, 3., 2 * cube) + 2 * cube_low) / 3;
  double u = 1, even = 1, odd = 0;
  for (int k = 1; k < 10; ++k) {
    u *= (6. * k - 5) * (6. * k - 3) * (6. * k - 1) / (216. * k * (2 * k - 1)) / zeta;
    (k % 2 ? odd : even) += k / 2 % 2 ? -u : u;
  }
  const double phase = zeta + kPi / 4, phase_low = zeta - phase + kPi / 4 + zeta_low;
  const double sine = std::sin(phase), cosine = std::cos(phase);
  return ((sine + phase_low * cosine) * even - (cosine - phase_low * sine) * odd) / std::sqrt(kPi * root);
}

/// Returns Ai(x) by Taylor steps of y'' = x y from 0 to x. REQUIRES: -20 <= x <= 2, because the error grows outside
/// this range.
ERSATZ_HD inline double airy_ai_near(double x) {
  constexpr double kMostStep = 0.5;
  double at = 0, y = 0.355028053887817239260, slope = -0.258819403792806798405;
  while (at != x) {
    const double left = x - at, h = left > kMostStep ? kMostStep : left < -kMostStep ? -kMostStep : left;
    // The recurrence of the coefficients: a[n + 2] (n + 1)(n + 2) = at a[n] + a[n - 1].
    double before = 0, a = y, next = slope, power = 1, value = 0, derivative = 0;
    for (int n = 0; n < 24; ++n) {
      value += a * power;
      derivative += (n + 1) * next * power;
      const double after = (at * a + before) / ((n + 1.) * (n + 2.));
      before = a;
      a = next;
      next = after;
      power *= h;
    }
    y = value;
    slope = derivative;
    at = h == left ? x : at + h;
  }
  return y;
}

ERSATZ_HD inline double airy_ai(double x) {
  if (std::isinf(x)) return x > 0 ? 0 : kNaN;
  if (x != x) return x;
  if (x >= -20 && x <= 2) return airy_ai_near(x);
  if (x > 104) return 0;
  if (x < 0) return airy_ai_far_left(-x);
  const double zeta = 2. / 3 * x * std::sqrt(x);
  return std::sqrt(x / 3) * bessel_k_integral(1. / 3, zeta) * std::exp(-zeta) / kPi;
}
ERSATZ_HD inline float airy_ai(float x) { return static_cast<float>(airy_ai(static_cast<double>(x))); }

}  // namespace m
}  // namespace
}  // namespace ersatz::vec
