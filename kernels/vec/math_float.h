// Functions of float vectors that are computed inline. A call of SLEEF's function would take at least twice the time.
// Internal linkage, like vec.h; math.h includes this file.
#pragma once

#include <cstdint>

#include "kernels/vec/vec.h"

namespace ersatz::vec {
namespace {
namespace m {

/// Returns a * b + c, rounded once if the machine has a fused operation.
inline Vec<float> fused(Vec<float> a, Vec<float> b, Vec<float> c) {
#if defined(__AVX512F__)
  return Vec<float>(_mm512_fmadd_ps(a.v, b.v, c.v));
#elif defined(__FMA__)
  return Vec<float>(_mm256_fmadd_ps(a.v, b.v, c.v));
#else
  return a * b + c;
#endif
}

/// Returns c[0] + c[1] x + ... + c[n - 1] x^(n - 1), by Horner's rule.
template <int n>
Vec<float> polynomial(Vec<float> x, const float (&c)[n]) {
  Vec<float> sum(c[n - 1]);
  for (int i = n - 2; i >= 0; --i) sum = fused(sum, x, Vec<float>(c[i]));
  return sum;
}

/// If this is added to a float in [-2^22, 2^22], the float is rounded to an integer, which is in the low bits of the
/// sum.
constexpr float kToInteger = 12582912;  // 1.5 * 2^23

/// Returns x * 2^n for an integer n in [-150, 128]. REQUIRES: `shifted` is n + kToInteger.
inline Vec<float> times_power_of_two(Vec<float> x, Vec<float> shifted) {
#if defined(__AVX512F__)
  // The zero-masking intrinsic is used, because the unmasked one reads an undefined register, which g++ warns about.
  return Vec<float>(_mm512_maskz_scalef_ps(0xffff, x.v, (shifted - Vec<float>(kToInteger)).v));
#else
  // Multiplies by two powers whose product is 2^n, because 2^n itself may not fit a float.
  typedef typename Mask<float>::M M;
  const M n = (M)shifted.v - 0x4b400000, half = n >> 1;
  const Vec<float> first((typename Vec<float>::N)((half + 127) << 23)),
      second((typename Vec<float>::N)((n - half + 127) << 23));
  return x * first * second;
#endif
}

/// Returns e^x. The error is at most 1.2 ulp; 0.9 ulp with fused operations.
inline Vec<float> exp(Vec<float> x) {
  constexpr float kPowers[] = {1, 1, 0.49999994f, 0.16666521f, 0.041668389f, 0.0083687454f, 0.0013814539f};
  using V = Vec<float>;
  // Beyond these bounds e^x is 0 or infinity, so x is clamped to them; NaN stays NaN.
  x = greater_of(V(-104), lesser_of(V(89), x));
  const V shifted = fused(x, V(1.442695041f), V(kToInteger)), n = shifted - V(kToInteger);
  // ln 2 is the sum of two constants. The product of n and the first constant is exact.
  const V rest = fused(n, V(2.12194440e-4f), fused(n, V(-0.693359375f), x));
  return times_power_of_two(polynomial(rest, kPowers), shifted);
}

/// Returns the cumulative distribution function of the normal distribution at x. The error is below 1e-7, and for x >=
/// -3 the relative error is below 1e-6. The result is 0 below -5.5 and 1 above 5.5, because (1 +- erf) / 2 rounds to
/// these values.
///
/// The tail is e^(-x^2 / 2) times a factor. The exponential is 2^n times a polynomial. The factor, Mills' ratio divided
/// by the square root of 2 pi, is a polynomial of |x| / (|x| + 2.75).
inline Vec<float> normal_below(Vec<float> x) {
  constexpr float kPowersOfTwo[] = {1, 0.693147004f, 0.240222424f, 0.0555073395f, 0.00967152324f, 0.00132647122f};
  constexpr float kRatio[] = {0.5f,         -1.09709096f,   0.793529153f, -0.0814699829f,
                              -0.14640911f, -0.0201757047f, 0.0545723625f};
  using V = Vec<float>;
  typedef uint32_t Bits __attribute__((vector_size(sizeof(typename V::N))));  // unsigned: for NaN the sum wraps
  const V size = lesser_of(V(5.6f), abs(x));      // beyond 5.6 the result is constant; NaN stays NaN
  const V power = size * size * V(-0.72134752f);  // the constant is -1 / (2 ln 2)
  const V shifted = power + V(kToInteger);
  const V fraction = polynomial(power - (shifted - V(kToInteger)), kPowersOfTwo);
  const V density((typename V::N)((Bits)fraction.v + ((Bits)shifted.v << 23)));  // 2^n fits a float, because n > -24
  const V tail = select(size > V(5.5f), V(0), density * polynomial(size / (size + V(2.75f)), kRatio));
  return select(x < V(0), tail, V(1) - tail);
}

/// Returns x times the logistic function of 2 u, with u = sqrt(2 / pi) (x + 0.044715 x^3). This equals x (1 + tanh u) /
/// 2 but does not lose digits. If tanh u would round to -1, the result is 0.
inline Vec<float> gelu_tanh(Vec<float> x) {
  using V = Vec<float>;
  const V twice = V(1.5957691216f) * x * fused(V(0.044715f), x * x, V(1));
  return x / select(twice < V(-18), V(__builtin_inff()), V(1) + exp(-twice));
}

}  // namespace m
}  // namespace
}  // namespace ersatz::vec
