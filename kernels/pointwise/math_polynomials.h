// Orthogonal polynomials by their three-term recurrences, in the type of their argument. Internal linkage, like vec.h.
//
// A degree is truncated to an integer; below 0 the value is 0. A recurrence that overflows ends in NaN.
// Source: M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, chapter 22.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/vec/formulas.h"

namespace ersatz::vec {
namespace {
namespace m {

enum class Recurrence : uint8_t { Chebyshev, HermiteH, HermiteHe, Laguerre, Legendre };

/// The polynomial of degree k + 1 from those of degree k and k - 1.
template <Recurrence kind, class T>
ERSATZ_HD T next_polynomial(T x, T k, T at, T before) {
  if constexpr (kind == Recurrence::Chebyshev) return (x + x) * at - before;
  if constexpr (kind == Recurrence::HermiteH) return (x + x) * at - (k + k) * before;
  if constexpr (kind == Recurrence::HermiteHe) return x * at - k * before;
  if constexpr (kind == Recurrence::Laguerre) return ((k + k + 1 - x) * at - k * before) / (k + 1);
  return ((k + k + 1) * x * at - k * before) / (k + 1);
}

/// The polynomial of that degree whose members of degree 0 and 1 are 1 and `first`.
template <Recurrence kind, class T>
ERSATZ_HD T polynomial(T x, T first, T degree) {
  if (!(degree > -1)) return 0;
  const auto n = static_cast<int64_t>(degree);
  if (n == 0) return 1;
  T before = 1, at = first;
  for (int64_t k = 1; k < n && at == at; ++k) {
    const T next = next_polynomial<kind>(x, static_cast<T>(k), at, before);
    before = at;
    at = next;
  }
  return at;
}

enum class ChebyshevKind : uint8_t { T, U, V, W };

/// At the ends of the interval, where the recurrence is a sum of n terms.
template <ChebyshevKind kind, class T>
ERSATZ_HD T chebyshev_at_end(bool upper, T degree) {
  const auto n = static_cast<int64_t>(degree);
  const T sign = upper || n % 2 == 0 ? T(1) : T(-1);
  if constexpr (kind == ChebyshevKind::T) return sign;
  if constexpr (kind == ChebyshevKind::U) return sign * static_cast<T>(n + 1);
  const bool grows = upper == (kind == ChebyshevKind::W);
  return grows ? sign * static_cast<T>(2 * n + 1) : sign;
}

/// Of degree `degree` at x = cos t, as quotients of trigonometric functions of multiples of t.
template <ChebyshevKind kind, class T>
ERSATZ_HD T chebyshev_inside(T x, T degree) {
  const T n = std::trunc(degree), t = std::acos(x);
  if constexpr (kind == ChebyshevKind::T) return std::cos(n * t);
  if constexpr (kind == ChebyshevKind::U) return std::sin((n + 1) * t) / std::sin(t);
  if constexpr (kind == ChebyshevKind::V) return std::cos((n + T(0.5)) * t) / std::cos(t / 2);
  return std::sin((n + T(0.5)) * t) / std::sin(t / 2);
}

/// From degree 7 on inside of the interval without recurrence, which costs a step a degree.
template <ChebyshevKind kind, class T>
ERSATZ_HD T chebyshev(T x, T degree) {
  if (degree >= 1 && (x == 1 || x == -1)) return chebyshev_at_end<kind>(x == 1, degree);
  if (degree >= 7 && x > -1 && x < 1) return chebyshev_inside<kind>(x, degree);
  const T first = kind == ChebyshevKind::T   ? x
                  : kind == ChebyshevKind::U ? x + x
                  : kind == ChebyshevKind::V ? x + x - 1
                                             : x + x + 1;
  return polynomial<Recurrence::Chebyshev>(x, first, degree);
}

#define ERSATZ_CHEBYSHEV(suffix, kind)                   \
  template <class T>                                     \
  ERSATZ_HD T chebyshev_##suffix(T x, T n) {             \
    return chebyshev<ChebyshevKind::kind>(x, n);         \
  }                                                      \
  template <class T>                                     \
  ERSATZ_HD T shifted_chebyshev_##suffix(T x, T n) {     \
    return chebyshev<ChebyshevKind::kind>(x + x - 1, n); \
  }
ERSATZ_CHEBYSHEV(t, T)
ERSATZ_CHEBYSHEV(u, U)
ERSATZ_CHEBYSHEV(v, V)
ERSATZ_CHEBYSHEV(w, W)
#undef ERSATZ_CHEBYSHEV

/// NaN from the degree on whose coefficients are no numbers of the type.
template <class T>
ERSATZ_HD bool beyond_hermite(T degree) {
  return degree >= (sizeof(T) == 4 ? 129 : 513);
}
template <class T>
ERSATZ_HD T hermite_h(T x, T n) {
  return beyond_hermite(n) ? static_cast<T>(__builtin_nan("")) : polynomial<Recurrence::HermiteH>(x, x + x, n);
}
template <class T>
ERSATZ_HD T hermite_he(T x, T n) {
  return beyond_hermite(n) ? static_cast<T>(__builtin_nan("")) : polynomial<Recurrence::HermiteHe>(x, x, n);
}
template <class T>
ERSATZ_HD T laguerre_l(T x, T n) {
  return x == 0 && n >= 0 ? T(1) : polynomial<Recurrence::Laguerre>(x, 1 - x, n);
}
template <class T>
ERSATZ_HD T legendre_p(T x, T n) {
  if (n >= 1 && (x == 1 || x == -1)) return x == 1 || static_cast<int64_t>(n) % 2 == 0 ? T(1) : T(-1);
  return polynomial<Recurrence::Legendre>(x, x, n);
}

}  // namespace m
}  // namespace
}  // namespace ersatz::vec
