// Special functions of two numbers by other ways than the kernels': angles of complex numbers, the standard library,
// integrals and long sums.
#pragma once

#include <cmath>
#include <complex>

namespace ersatz::pointwise_test {

enum class Angle { T, U, V, W };
/// Chebyshev's polynomials through the angle t of x = cos t, a complex one where x is above 1.
inline double chebyshev(Angle kind, double x, double degree) {
  using C = std::complex<double>;
  const C t = std::acos(C(std::abs(x) == 1 ? x * (1 - 1e-9) : x));
  const double n = std::trunc(degree);
  if (kind == Angle::T) return std::cos(n * t).real();
  if (kind == Angle::U) return (std::sin((n + 1) * t) / std::sin(t)).real();
  if (kind == Angle::V) return (std::cos((n + 0.5) * t) / std::cos(0.5 * t)).real();
  return (std::sin((n + 0.5) * t) / std::sin(0.5 * t)).real();
}
inline double hermite_he(double x, double degree) {
  const double n = std::trunc(degree);
  return std::exp2(-n / 2) * std::hermite(static_cast<unsigned>(n), x / std::sqrt(2.0));
}
/// Legendre's by the sum of powers of (x - 1) / 2, 22.3.2 of Abramowitz and Stegun.
inline double legendre(double x, double degree) {
  const int n = static_cast<int>(degree);
  double sum = 0, term = 1;  // (n choose k) (n + k choose k) ((x - 1) / 2)^k
  for (int k = 0; k <= n; ++k) {
    sum += term;
    term *= static_cast<double>(n - k) * (n + k + 1) / ((k + 1.0) * (k + 1.0)) * (x - 1) / 2;
  }
  return sum;
}
/// The sum of its first 400 terms, and the integral of the others with the next two terms of Euler and Maclaurin's formula.
inline double hurwitz_zeta(double s, double q) {
  double sum = 0;
  for (int k = 0; k < 400; ++k) sum += std::pow(q + k, -s);
  const double last = q + 400;
  return sum + std::pow(last, 1 - s) / (s - 1) + 0.5 * std::pow(last, -s) + s / 12 * std::pow(last, -s - 1);
}
/// The integral of t^(a-1) exp(-t) up to x over Gamma(a), by Simpson's rule in u = sqrt(t).
inline double lower_gamma(double a, double x) {
  if (a < 2) return lower_gamma(a + 1, x) + std::exp(a * std::log(x) - x) / std::tgamma(a + 1);  // a smooth integrand
  const int steps = 2000;
  const double h = std::sqrt(x) / steps;
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double u = i * h, f = 2 * std::pow(u, 2 * a - 1) * std::exp(-u * u);
    sum += f * (i == 0 || i == steps ? 1 : i % 2 ? 4 : 2);
  }
  return sum * h / 3 / std::tgamma(a);
}

}  // namespace ersatz::pointwise_test
