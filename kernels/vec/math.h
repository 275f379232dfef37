// The functions that elementwise expressions call, for SIMD vectors and for numbers.
//
// SLEEF computes transcendental functions of vectors, with an error of at most 1 ulp (erfc 1.5 ulp). math_float.h has
// the functions that do not call SLEEF. Internal linkage, like vec.h.
#pragma once

#include <sleef.h>

#include "kernels/vec/math_float.h"

namespace ersatz::vec {
namespace {

namespace m {

#define ERSATZ_CALL1(name, ff, fd)                         \
  inline Vec<float> name(Vec<float> x) { return ff(x.v); } \
  ERSATZ_OTHERS1(name, fd)
#define ERSATZ_OTHERS1(name, fd)                                \
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

ERSATZ_OTHERS1(exp, ERSATZ_D(exp, u10))
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
// The zero-masking intrinsics are used, because the unmasked ones read an undefined register, which g++ warns about.
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
#undef ERSATZ_OTHERS1
#undef ERSATZ_CALL2
#undef ERSATZ_F
#undef ERSATZ_D
#undef ERSATZ_F0
#undef ERSATZ_D0
#undef ERSATZ_MATH1
#undef ERSATZ_MATH2
#undef ERSATZ_EXACT1
#undef ERSATZ_EXACT2

}  // namespace m
}  // namespace
}  // namespace ersatz::vec
