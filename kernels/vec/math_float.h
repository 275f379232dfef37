// Functions of float vectors that are computed inline, because a call of SLEEF's would cost at least as much again.
// Internal linkage, like vec.h; included through math.h.
#pragma once

#include <cstdint>

#include "kernels/vec/vec.h"

namespace ersatz::vec {
namespace {
namespace m {

/// a * b + c, rounded once if the machine has a fused operation.
inline Vec<float> fused(Vec<float> a, Vec<float> b, Vec<float> c) {
#if defined(__AVX512F__)
  return Vec<float>(_mm512_fmadd_ps(a.v, b.v, c.v));
#elif defined(__FMA__)
  return Vec<float>(_mm256_fmadd_ps(a.v, b.v, c.v));
#else
  return a * b + c;
#endif
}

/// c[0] + c[1] x + ... + c[n - 1] x^(n - 1), by Horner's rule.
template <int n>
Vec<float> polynomial(Vec<float> x, const float (&c)[n]) {
  Vec<float> sum(c[n - 1]);
  for (int i = n - 2; i >= 0; --i) sum = fused(sum, x, Vec<float>(c[i]));
  return sum;
}

/// Adding this to a float in [-2^22, 2^22] rounds it to the nearest integer, which is in the low bits of the sum.
constexpr float kToInteger = 12582912;  // 1.5 * 2^23

/// x * 2^n for an integer n in [-150, 128]; `shifted` is n + kToInteger.
inline Vec<float> times_power_of_two(Vec<float> x, Vec<float> shifted) {
#if defined(__AVX512F__)
  // The intrinsic without mask reads an undefined register, which g++ warns about.
  return Vec<float>(_mm512_maskz_scalef_ps(0xffff, x.v, (shifted - Vec<float>(kToInteger)).v));
#else
  // Multiplies in two steps, because 2^n itself may not be a float.
  typedef typename Mask<float>::M M;
  const M n = (M)shifted.v - 0x4b400000, half = n >> 1;
  const Vec<float> first((typename Vec<float>::N)((half + 127) << 23)),
      second((typename Vec<float>::N)((n - half + 127) << 23));
  return x * first * second;
#endif
}

/// The error is at most 1.2 ulp; 0.9 with fused operations.
inline Vec<float> exp(Vec<float> x) {
  constexpr float kPowers[] = {1, 1, 0.49999994f, 0.16666521f, 0.041668389f, 0.0083687454f, 0.0013814539f};
  using V = Vec<float>;
  // Outside of these bounds the result is 0 or infinity in any case; NaN stays NaN.
  x = greater_of(V(-104), lesser_of(V(89), x));
  const V shifted = fused(x, V(1.442695041f), V(kToInteger)), n = shifted - V(kToInteger);
  // ln 2 is the sum of two constants; n times the first one is exact.
  const V rest = fused(n, V(2.12194440e-4f), fused(n, V(-0.693359375f), x));
  return times_power_of_two(polynomial(rest, kPowers), shifted);
}

/// The cumulative distribution function of the normal distribution at x. Its error is below 1e-7, and its relative
/// error below 1e-6 for x >= -3. It is 0 below -5.5 and 1 above 5.5; 1 +- erf rounds to these values, too.
///
/// e^(-x^2 / 2) is computed as 2^n times a polynomial. The remaining factor, Mills' ratio over the square root of 2 pi,
/// is a polynomial of |x| / (|x| + 2.75).
inline Vec<float> normal_below(Vec<float> x) {
  constexpr float kPowersOfTwo[] = {1, 0.693147004f, 0.240222424f, 0.0555073395f, 0.00967152324f, 0.00132647122f};
  constexpr float kRatio[] = {0.5f,         -1.09709096f,   0.793529153f, -0.0814699829f,
                              -0.14640911f, -0.0201757047f, 0.0545723625f};
  using V = Vec<float>;
  typedef uint32_t Bits __attribute__((vector_size(sizeof(typename V::N))));  // unsigned: for NaN the sum wraps
  const V size = lesser_of(V(5.6f), abs(x));      // beyond 5.6 the result is constant; NaN stays NaN
  const V power = size * size * V(-0.72134752f);  // 1 / (2 ln 2)
  const V shifted = power + V(kToInteger);
  const V fraction = polynomial(power - (shifted - V(kToInteger)), kPowersOfTwo);
  const V density((typename V::N)((Bits)fraction.v + ((Bits)shifted.v << 23)));  // 2^n is a float: n > -24
  const V tail = select(size > V(5.5f), V(0), density * polynomial(size / (size + V(2.75f)), kRatio));
  return select(x < V(0), tail, V(1) - tail);
}

/// x times the logistic function of 2 u with u = sqrt(2 / pi) (x + 0.044715 x^3). This equals x (1 + tanh u) / 2
/// without the cancellation. It is 0 where tanh rounds to -1.
inline Vec<float> gelu_tanh(Vec<float> x) {
  using V = Vec<float>;
  const V twice = V(1.5957691216f) * x * fused(V(0.044715f), x * x, V(1));
  return x / select(twice < V(-18), V(__builtin_inff()), V(1) + exp(-twice));
}

}  // namespace m
}  // namespace
}  // namespace ersatz::vec
