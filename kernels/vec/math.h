// The functions that elementwise expressions are written in, for SIMD vectors and for plain numbers alike.
//
// Transcendental functions of vectors are SLEEF's, at most 1 ulp off (erfc 1.5). Internal linkage, like vec.h.
#pragma once

#include <sleef.h>

#include "kernels/vec/vec.h"

namespace ersatz::vec {
namespace {

namespace m {

#define ERSATZ_CALL1(name, ff, fd)                              \
  inline Vec<float> name(Vec<float> x) { return ff(x.v); }      \
  inline Vec<double> name(Vec<double> x) { return fd(x.v); }    \
  inline float name(float x) { return __builtin_##name##f(x); } \
  inline double name(double x) { return __builtin_##name(x); }
#define ERSATZ_CALL2(name, ff, fd)                                               \
  inline Vec<float> name(Vec<float> x, Vec<float> y) { return ff(x.v, y.v); }    \
  inline Vec<double> name(Vec<double> x, Vec<double> y) { return fd(x.v, y.v); } \
  inline float name(float x, float y) { return __builtin_##name##f(x, y); }      \
  inline double name(double x, double y) { return __builtin_##name(x, y); }

#if defined(__AVX512F__)
#define ERSATZ_F(name, accuracy) Sleef_##name##f16_##accuracy##avx512f
#define ERSATZ_D(name, accuracy) Sleef_##name##d8_##accuracy##avx512f
#define ERSATZ_F0(name) Sleef_##name##f16_avx512f
#define ERSATZ_D0(name) Sleef_##name##d8_avx512f
#elif defined(__AVX2__)
#define ERSATZ_F(name, accuracy) Sleef_##name##f8_##accuracy##avx2
#define ERSATZ_D(name, accuracy) Sleef_##name##d4_##accuracy##avx2
#define ERSATZ_F0(name) Sleef_##name##f8_avx2
#define ERSATZ_D0(name) Sleef_##name##d4_avx2
#else
#define ERSATZ_F(name, accuracy) Sleef_##name##f4_##accuracy
#define ERSATZ_D(name, accuracy) Sleef_##name##d2_##accuracy
#define ERSATZ_F0(name) Sleef_##name##f4
#define ERSATZ_D0(name) Sleef_##name##d2
#endif
#define ERSATZ_MATH1(name, accuracy) ERSATZ_CALL1(name, ERSATZ_F(name, accuracy), ERSATZ_D(name, accuracy))
#define ERSATZ_MATH2(name, accuracy) ERSATZ_CALL2(name, ERSATZ_F(name, accuracy), ERSATZ_D(name, accuracy))
#define ERSATZ_EXACT1(name) ERSATZ_CALL1(name, ERSATZ_F0(name), ERSATZ_D0(name))
#define ERSATZ_EXACT2(name) ERSATZ_CALL2(name, ERSATZ_F0(name), ERSATZ_D0(name))

ERSATZ_MATH1(exp, u10)
ERSATZ_MATH1(exp2, u10)
ERSATZ_MATH1(expm1, u10)
ERSATZ_MATH1(log, u10)
ERSATZ_MATH1(log2, u10)
ERSATZ_MATH1(log10, u10)
ERSATZ_MATH1(log1p, u10)
ERSATZ_MATH1(sin, u10)
ERSATZ_MATH1(cos, u10)
ERSATZ_MATH1(tan, u10)
ERSATZ_MATH1(asin, u10)
ERSATZ_MATH1(acos, u10)
ERSATZ_MATH1(atan, u10)
ERSATZ_MATH1(sinh, u10)
ERSATZ_MATH1(cosh, u10)
ERSATZ_MATH1(tanh, u10)
ERSATZ_MATH1(asinh, u10)
ERSATZ_MATH1(acosh, u10)
ERSATZ_MATH1(atanh, u10)
ERSATZ_MATH1(erf, u10)
ERSATZ_MATH1(erfc, u15)
ERSATZ_MATH1(lgamma, u10)
ERSATZ_MATH2(pow, u10)
ERSATZ_MATH2(atan2, u10)
ERSATZ_MATH2(hypot, u05)
ERSATZ_EXACT1(floor)
ERSATZ_EXACT1(ceil)
ERSATZ_EXACT1(trunc)
ERSATZ_EXACT1(rint)
ERSATZ_EXACT2(copysign)
ERSATZ_EXACT2(fmod)
ERSATZ_EXACT2(nextafter)

#if defined(__AVX512F__)
// The maskless form reads an undefined register, which g++ warns about.
inline __m512 sqrt16(__m512 x) { return _mm512_maskz_sqrt_ps(0xffff, x); }
inline __m512d sqrt8(__m512d x) { return _mm512_maskz_sqrt_pd(0xff, x); }
ERSATZ_CALL1(sqrt, sqrt16, sqrt8)
#elif defined(__AVX2__)
ERSATZ_CALL1(sqrt, _mm256_sqrt_ps, _mm256_sqrt_pd)
#elif defined(__SSE2__)
ERSATZ_CALL1(sqrt, _mm_sqrt_ps, _mm_sqrt_pd)
#else
ERSATZ_MATH1(sqrt, u05)
#endif

#undef ERSATZ_CALL1
#undef ERSATZ_CALL2
#undef ERSATZ_F
#undef ERSATZ_D
#undef ERSATZ_F0
#undef ERSATZ_D0
#undef ERSATZ_MATH1
#undef ERSATZ_MATH2
#undef ERSATZ_EXACT1
#undef ERSATZ_EXACT2

template <class T>
Vec<T> select(Mask<T> mask, Vec<T> yes, Vec<T> no) {
  return mask.m ? yes.v : no.v;
}
template <class T>
T select(bool mask, T yes, T no) {
  return mask ? yes : no;
}

template <class T>
Vec<T> abs(Vec<T> x) {
  typedef typename Mask<T>::M M;
  const M sign = (M)Vec<T>(T(-0.0)).v;
  return (typename Vec<T>::N)((M)x.v & ~sign);
}
inline float abs(float x) { return __builtin_fabsf(x); }
inline double abs(double x) { return __builtin_fabs(x); }

// Conditions, of lanes or of plain numbers.
template <class T>
Mask<T> both(Mask<T> p, Mask<T> q) {
  return p & q;
}
template <class T>
Mask<T> either(Mask<T> p, Mask<T> q) {
  return p | q;
}
template <class T>
Mask<T> differ(Mask<T> p, Mask<T> q) {
  return {p.m ^ q.m};
}
inline bool both(bool p, bool q) { return p && q; }
inline bool either(bool p, bool q) { return p || q; }
inline bool differ(bool p, bool q) { return p != q; }

// What is written once for vectors and plain floats. `V` is never an integer here.
constexpr double kInfinity = __builtin_inf();

template <class V>
auto is_nan(V x) {
  return x != x;
}
template <class V>
auto is_inf(V x) {
  return abs(x) == V(kInfinity);
}
template <class V>
auto is_posinf(V x) {
  return x == V(kInfinity);
}
template <class V>
auto is_neginf(V x) {
  return x == V(-kInfinity);
}
template <class V>
auto is_finite(V x) {
  return abs(x) < V(kInfinity);
}
template <class V>
auto is_real(V x) {
  return either(x == x, x != x);
}
template <class V>
auto sign_bit(V x) {
  return copysign(V(1), x) < V(0);
}
template <class V>
V conj(V x) {
  return x;
}
template <class V>
V sign(V x) {
  return select(x > V(0), V(1), select(x < V(0), V(-1), V(0)));
}
template <class V>
V sgn(V x) {
  return sign(x);
}
/// 0, or pi for negative numbers; NaN stays.
template <class V>
V angle(V x) {
  return select(x != x, x, select(x < V(0), V(3.14159265358979323846), V(0)));
}
/// The larger of the two; NaN if either is.
template <class V>
V max(V a, V b) {
  return select(either(a > b, a != a), a, b);
}
template <class V>
V min(V a, V b) {
  return select(either(a < b, a != a), a, b);
}
/// The larger of the two that is a number.
template <class V>
V fmax(V a, V b) {
  return select(either(a >= b, b != b), a, b);
}
template <class V>
V fmin(V a, V b) {
  return select(either(a <= b, b != b), a, b);
}
/// NaN stays; the upper bound wins.
template <class V>
V clamp(V x, V low, V high) {
  V raised = select(x < low, low, x);
  return select(raised > high, high, raised);
}
template <class V>
V selu(V x) {
  constexpr double alpha = 1.6732632423543772848170429916717, scale = 1.0507009873554804934193349852946;
  return select(x > V(0), x * V(scale), expm1(x) * V(alpha * scale));
}
template <class V>
V sinc(V x) {
  V px = x * V(3.14159265358979323846);
  return select(x == V(0), V(1), sin(px) / px);
}
/// -x log x, continued by 0 at 0 and minus infinity below.
template <class V>
V entr(V x) {
  V inside = select(x == V(0), V(0), V(-kInfinity));
  return select(x != x, x, select(x > V(0), -x * log(x), inside));
}
/// x times a function of y, 0 where x is 0 whatever the function gives, NaN where y is.
template <class V>
V x_times(V x, V y, V f) {
  return select(y != y, y, select(x == V(0), V(0), x * f));
}
template <class V>
V logaddexp(V a, V b) {
  V high = max(a, b);
  return select(both(a == b, is_inf(a)), a, high + log1p(exp(-abs(a - b))));
}
template <class V>
V logaddexp2(V a, V b) {
  V high = max(a, b);
  return select(both(a == b, is_inf(a)), a, high + log1p(exp2(-abs(a - b))) * V(1.4426950408889634));
}

template <class V>
V logit_within(V x, V eps) {
  V high = V(1) - eps;
  V z = select(x < eps, eps, select(x > high, high, x));
  return log(z / (V(1) - z));
}
template <class V>
V nan_to_num(V x, V nan, V high, V low) {
  return select(x != x, nan, select(x == V(kInfinity), high, select(x == V(-kInfinity), low, x)));
}
template <class T>
Vec<T> trunc_divide(Vec<T> a, Vec<T> b) {
  return trunc(a / b);
}
/// From the nearer end, so that weights 0 and 1 are exact.
template <class V>
V lerp(V start, V end, V weight) {
  V d = end - start;
  return select(abs(weight) < V(0.5), start + weight * d, end - d * (V(1) - weight));
}

}  // namespace m
}  // namespace
}  // namespace ersatz::vec
