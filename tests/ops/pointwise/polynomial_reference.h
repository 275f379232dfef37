// Reference values of orthogonal polynomials with small degrees, from three-term recurrences.
#pragma once

#include <cmath>

namespace ersatz::pointwise_test {

/// p(0) = 1, p(1) = a x + b, then c(k) p(k + 1) = (r(k) x + s(k)) p(k) - t(k) p(k - 1).
struct Recurrence {
  double a, b;
  double (*c)(double k), (*r)(double k), (*s)(double k), (*t)(double k);
};

inline double polynomial(const Recurrence& f, double x, double n) {
  double before = 1, value = f.a * x + f.b;
  if (n < 1) return 1;
  for (double k = 1; k < std::floor(n); ++k) {
    const double next = ((f.r(k) * x + f.s(k)) * value - f.t(k) * before) / f.c(k);
    before = value;
    value = next;
  }
  return value;
}

inline double zero(double) { return 0; }
inline double one(double) { return 1; }
inline double two(double) { return 2; }
inline double chebyshev(double a, double b, double x, double n) {
  return polynomial({a, b, one, two, zero, one}, x, n);
}
inline double hermite(double scale, double x, double n) {
  if (scale == 2) return polynomial({2, 0, one, two, zero, [](double k) { return 2 * k; }}, x, n);
  return polynomial({1, 0, one, one, zero, [](double k) { return k; }}, x, n);
}
inline double legendre(double x, double n) {
  return polynomial(
      {1, 0, [](double k) { return k + 1; }, [](double k) { return 2 * k + 1; }, zero, [](double k) { return k; }}, x,
      n);
}
inline double laguerre(double x, double n) {
  return polynomial({-1, 1, [](double k) { return k + 1; }, [](double) { return -1.0; },
                     [](double k) { return 2 * k + 1; }, [](double k) { return k; }},
                    x, n);
}

/// The Hurwitz zeta function: sums the first terms, and adds the integral of the others with two correction terms.
inline double zeta(double x, double q) {
  long double sum = 0, at = q;
  for (int k = 0; k < 300; ++k, ++at) sum += std::pow(at, -static_cast<long double>(x));
  const long double last = std::pow(at, -static_cast<long double>(x));
  return static_cast<double>(sum + last * at / (x - 1) + last / 2 + last * x / (12 * at));
}
/// The regularised lower incomplete gamma function: sums its power series.
inline double igamma(double a, double x) {
  long double term = 1 / static_cast<long double>(a), sum = term;
  for (int k = 1; k < 500 && term > sum * 1e-20L; ++k) sum += term *= x / (a + static_cast<long double>(k));
  return static_cast<double>(
      sum * std::exp(a * std::log(static_cast<long double>(x)) - x - std::lgamma(static_cast<long double>(a))));
}

}  // namespace ersatz::pointwise_test
