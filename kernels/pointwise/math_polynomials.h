// Orthogonal polynomials in x. The degree is a float, which is truncated to an integer; a negative degree gives 0.
// Internal linkage, like vec.h.
//
// Each polynomial is computed by its recurrence over the degree, in the type of x, so that it rounds like PyTorch's.
// For high degrees, Chebyshev polynomials between -1 and 1 are computed by trigonometric functions.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/pointwise/math_special.h"

namespace ersatz::vec {
namespace {
namespace m {

/// Returns `n` truncated to an integer, or -1 if `n` is negative, NaN or does not fit 64 bits.
template <class T>
ERSATZ_HD int64_t degree(T n) {
  return n > T(-1) && n < T(9.2e18) ? static_cast<int64_t>(n) : -1;
}

/// The four kinds have one recurrence, and differ in their polynomial of degree 1: x, 2x, 2x - 1 and 2x + 1.
enum class Chebyshev { T, U, V, W };

/// Returns the Chebyshev polynomial of degree n at 1 (if `right`) or at -1.
template <Chebyshev kind, class T>
ERSATZ_HD T chebyshev_at_end(bool right, int64_t n) {
  constexpr Chebyshev kGrowing = Chebyshev::U;
  const bool grows = kind == kGrowing || kind == (right ? Chebyshev::W : Chebyshev::V);
  // For degrees beyond 2^62 the sum 2n + 1 wraps around, like PyTorch's.
  const T twice = T(static_cast<int64_t>(2 * static_cast<uint64_t>(n) + 1));
  const T size = !grows ? T(1) : kind == kGrowing ? T(n + 1) : twice;
  return right || n % 2 == 0 ? size : -size;
}

template <Chebyshev kind, class T>
ERSATZ_HD T chebyshev(T x, T degree_of) {
  const int64_t n = degree(degree_of);
  if (n < 0) return T(0);
  if (std::fabs(x) == T(1)) return chebyshev_at_end<kind, T>(x > T(0), n);
  if (n > (kind == Chebyshev::T ? 6 : 8) && std::fabs(x) < T(1)) {
    const T angle = std::acos(x), half = angle / T(2), above = (T(n) + T(0.5)) * angle;
    if (kind == Chebyshev::T) return std::cos(T(n) * angle);
    if (kind == Chebyshev::U) return std::sin(T(n + 1) * angle) / std::sin(angle);
    if (kind == Chebyshev::V && std::sin(half) != T(1)) return std::cos(above) / std::cos(half);
    if (kind == Chebyshev::W && std::cos(half) != T(1)) return std::sin(above) / std::sin(half);
    return chebyshev_at_end<kind, T>(x > T(0), n);
  }
  if (n == 0) return T(1);
  T before = T(1), value = kind == Chebyshev::T ? x : x + x;
  if (kind == Chebyshev::V) value -= T(1);
  if (kind == Chebyshev::W) value += T(1);
  for (int64_t k = 1; k < n && value == value; ++k) {
    const T next = (x + x) * value - before;
    before = value;
    value = next;
  }
  return value;
}
template <Chebyshev kind, class T>
ERSATZ_HD T shifted_chebyshev(T x, T n) {
  return chebyshev<kind>(x + x - T(1), n);
}

/// Returns the physicists' (`scale` 2) or probabilists' (`scale` 1) Hermite polynomial. For degrees above 128 (float)
/// or 512 (double) it returns NaN, like PyTorch.
template <int scale, class T>
ERSATZ_HD T hermite(T x, T degree_of) {
  const int64_t n = degree(degree_of);
  if (n < 0) return T(0);
  if (n == 0) return T(1);
  const T factor = scale == 2 ? x + x : x;
  if (n > (sizeof(T) == 4 ? 128 : 512)) return T(kNaN);
  T before = T(1), value = factor;
  for (int64_t k = 1; k < n; ++k) {
    const T next = factor * value - T(scale * k) * before;
    before = value;
    value = next;
  }
  return value;
}

template <class T>
ERSATZ_HD T laguerre(T x, T degree_of) {
  const int64_t n = degree(degree_of);
  if (n < 0) return T(0);
  if (x == T(0) || n == 0) return T(1);
  T before = T(1), value = T(1) - x;
  for (int64_t k = 1; k < n && value == value; ++k) {
    const T next = ((T(k + k) + (T(1) - x)) * value - T(k) * before) / T(k + 1);
    before = value;
    value = next;
  }
  return value;
}

template <class T>
ERSATZ_HD T legendre(T x, T degree_of) {
  const int64_t n = degree(degree_of);
  if (n < 0) return T(0);
  if (std::fabs(x) == T(1)) return x > T(0) || n % 2 == 0 ? T(1) : T(-1);
  if (n == 0) return T(1);
  T before = T(1), value = x;
  for (int64_t k = 1; k < n && value == value; ++k) {
    const T next = (T(k + k + 1) * x * value - T(k) * before) / T(k + 1);
    before = value;
    value = next;
  }
  return value;
}

}  // namespace m
}  // namespace
}  // namespace ersatz::vec
