// The functions of kernels/vec/math.h for complex numbers. Internal linkage, like vec.h; one source includes this file.
#pragma once

#include <cmath>
#include <complex>

#include "runtime/base/host_device.h"
#include "runtime/cuda/device_complex.h"

namespace ersatz::vec {
namespace {
namespace m {

template <class T>
using Cx = DeviceComplex<T>;

#define ERSATZ_STD(name)                      \
  template <class T>                          \
  ERSATZ_HD_CALL Cx<T> name(const Cx<T>& x) { \
    return complex_math::name(x);             \
  }
ERSATZ_STD(atan)
ERSATZ_STD(atanh)
ERSATZ_STD(cos)
ERSATZ_STD(cosh)
ERSATZ_STD(exp)
ERSATZ_STD(log)
ERSATZ_STD(log10)
ERSATZ_STD(sin)
ERSATZ_STD(sinh)
ERSATZ_STD(sqrt)
ERSATZ_STD(tan)
ERSATZ_STD(tanh)
#if !defined(__CUDACC__)
ERSATZ_STD(acos)
ERSATZ_STD(acosh)
ERSATZ_STD(asin)
ERSATZ_STD(asinh)
#else
// libcu++ computes log(x + sqrt(x * x + 1)) for every finite x. This loses all digits where the real part of x is below
// 0, and overflows where x * x overflows. The functions below compute the logarithm where the real part is not below 0;
// the symmetries acos(-x) = pi - acos(x) and asinh(-x) = -asinh(x) give the other values.

/// log(x + sqrt(x * x + one)). REQUIRES: x is finite, its real part is not below 0, and `one` is 1 or -1.
template <class T>
ERSATZ_HD_CALL Cx<T> log_of_sum(const Cx<T>& x, T one) {
  constexpr T kLarge = sizeof(T) == 4 ? T(8192) : T(134217728);  // beyond this, the rounded square root is x
  if (std::fabs(x.real()) > kLarge || std::fabs(x.imag()) > kLarge)
    return complex_math::log(x) + T(0.69314718055994530942);
  return complex_math::log(x + complex_math::sqrt(x * x + one));
}
template <class T>
ERSATZ_HD bool is_library_case(const Cx<T>& x) {
  return !std::isfinite(x.real()) || !std::isfinite(x.imag());
}
template <class T>
ERSATZ_HD_CALL Cx<T> asinh(const Cx<T>& x) {
  if (is_library_case(x)) return complex_math::asinh(x);
  const Cx<T> w = m::log_of_sum<T>(x.real() < 0 ? -x : x, 1);
  return {std::copysign(w.real(), x.real()), std::copysign(w.imag(), x.imag())};
}
template <class T>
ERSATZ_HD_CALL Cx<T> asin(const Cx<T>& x) {
  const Cx<T> w = m::asinh(Cx<T>(-x.imag(), x.real()));
  return {w.imag(), -w.real()};
}
template <class T>
ERSATZ_HD_CALL Cx<T> acosh(const Cx<T>& x) {
  if (is_library_case(x)) return complex_math::acosh(x);
  const Cx<T> w = m::log_of_sum<T>(x.real() < 0 ? -x : x, -1);
  const T angle = x.real() < 0 ? T(3.14159265358979323846) - std::fabs(w.imag()) : std::fabs(w.imag());
  return {std::fabs(w.real()), std::copysign(angle, x.imag())};
}
template <class T>
ERSATZ_HD_CALL Cx<T> acos(const Cx<T>& x) {
  if (is_library_case(x)) return complex_math::acos(x);
  const Cx<T> w = m::acosh(x);
  return {std::fabs(w.imag()), std::signbit(x.imag()) ? w.real() : -w.real()};
}
#endif
#undef ERSATZ_STD

template <class T>
ERSATZ_HD Cx<T> add(const Cx<T>& a, const Cx<T>& b) {
  return a + b;
}
template <class T>
ERSATZ_HD Cx<T> sub(const Cx<T>& a, const Cx<T>& b) {
  return a - b;
}
/// Returns a * b without std::complex's recovery of infinities, which costs more than the product.
template <class T>
ERSATZ_HD Cx<T> mul(const Cx<T>& a, const Cx<T>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <class T>
ERSATZ_HD Cx<T> neg(const Cx<T>& x) {
  return -x;
}
template <class T>
ERSATZ_HD T abs(const Cx<T>& x) {
  return std::hypot(x.real(), x.imag());
}
template <class T>
ERSATZ_HD Cx<T> exp2(const Cx<T>& x) {
  return complex_math::exp(x * T(0.6931471805599453));
}
template <class T>
ERSATZ_HD Cx<T> log2(const Cx<T>& x) {
  return complex_math::log(x) * T(1.4426950408889634);
}
/// Returns exp(x) - 1 without cancellation near 0.
template <class T>
ERSATZ_HD_CALL Cx<T> expm1(const Cx<T>& x) {
  T s = std::sin(x.imag() / 2);
  T a = std::expm1(x.real()) * std::cos(x.imag()) - 2 * s * s;
  return {a, std::exp(x.real()) * std::sin(x.imag())};
}
/// Returns log(1 + x) without cancellation near 0.
template <class T>
ERSATZ_HD_CALL Cx<T> log1p(const Cx<T>& x) {
  T re = x.real(), im = x.imag();
  T theta = std::atan2(im, re + T(1));
  T r = complex_math::abs(Cx<T>(re + T(1), im));
  if (r > T(0.5) && r < T(2)) return {std::log1p(re * (re + T(2)) + im * im) / 2, theta};
  return {std::log(r), theta};
}

template <class T>
ERSATZ_HD_CALL Cx<T> pow(const Cx<T>& x, const Cx<T>& y) {
  return complex_math::pow(x, y);
}
template <class T>
ERSATZ_HD Cx<T> logaddexp(const Cx<T>& a, const Cx<T>& b) {
  const bool swap = a.real() < b.real();
  const Cx<T>&high = swap ? b : a, &low = swap ? a : b;
  if (std::isinf(high.real()) && high.real() == low.real()) return high;
  return high + log1p(complex_math::exp(low - high));
}
template <class T>
ERSATZ_HD Cx<T> conj(const Cx<T>& x) {
  return complex_math::conj(x);
}
template <class T>
ERSATZ_HD Cx<T> sgn(const Cx<T>& x) {
  T size = m::abs(x);
  return size == T(0) ? Cx<T>(0) : x / size;
}
template <class T>
ERSATZ_HD T angle(const Cx<T>& x) {
  return complex_math::arg(x);
}
template <class T>
ERSATZ_HD Cx<T> sinc(const Cx<T>& x) {
  Cx<T> px = x * T(3.14159265358979323846);
  return x == Cx<T>(0) ? Cx<T>(1) : complex_math::sin(px) / px;
}
template <class T>
ERSATZ_HD bool is_nan(const Cx<T>& x) {
  return x != x;
}
template <class T>
ERSATZ_HD bool is_inf(const Cx<T>& x) {
  return std::isinf(x.real()) || std::isinf(x.imag());
}
template <class T>
ERSATZ_HD bool is_finite(const Cx<T>& x) {
  return std::isfinite(x.real()) && std::isfinite(x.imag());
}
template <class T>
ERSATZ_HD bool is_real(const Cx<T>& x) {
  return x.imag() == T(0);
}

template <class T>
ERSATZ_HD Cx<T> lerp(const Cx<T>& start, const Cx<T>& end, const Cx<T>& weight) {
  Cx<T> d = end - start;
  return m::abs(weight) < T(0.5) ? start + mul(weight, d) : end - mul(d, Cx<T>(1) - weight);
}

template <class T>
ERSATZ_HD Cx<T> nan_to_num(const Cx<T>& x, const Cx<T>& nan, const Cx<T>& high, const Cx<T>& low) {
  return {nan_to_num(x.real(), nan.real(), high.real(), low.real()),
          nan_to_num(x.imag(), nan.real(), high.real(), low.real())};
}

}  // namespace m
}  // namespace
}  // namespace ersatz::vec
