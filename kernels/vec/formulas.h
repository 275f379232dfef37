// Functions for vectors and numbers of float and double, composed of the functions in vec/math.h. Internal linkage,
// like vec.h.
#pragma once

#if defined(__CUDACC__)
#include "kernels/vec/math_device.h"
#else
#include "kernels/vec/math.h"
#endif
#include "runtime/base/host_device.h"

namespace ersatz::vec {
namespace {
namespace m {

// In this file, `V` is float, double or a vector of one of these; never an integer.
constexpr double kInfinity = __builtin_inf();

template <class V>
ERSATZ_HD auto is_nan(V x) {
  return x != x;
}
template <class V>
ERSATZ_HD auto is_inf(V x) {
  return abs(x) == V(kInfinity);
}
template <class V>
ERSATZ_HD auto is_posinf(V x) {
  return x == V(kInfinity);
}
template <class V>
ERSATZ_HD auto is_neginf(V x) {
  return x == V(-kInfinity);
}
template <class V>
ERSATZ_HD auto is_finite(V x) {
  return abs(x) < V(kInfinity);
}
template <class V>
ERSATZ_HD auto is_real(V x) {
  return either(x == x, x != x);
}
template <class V>
ERSATZ_HD auto sign_bit(V x) {
  return copysign(V(1), x) < V(0);
}
template <class V>
ERSATZ_HD V conj(V x) {
  return x;
}
template <class V>
ERSATZ_HD V sign(V x) {
  return select(x > V(0), V(1), select(x < V(0), V(-1), V(0)));
}
template <class V>
ERSATZ_HD V sgn(V x) {
  return sign(x);
}
/// Returns pi for a negative number, else 0; NaN for NaN.
template <class V>
ERSATZ_HD V angle(V x) {
  return select(x != x, x, select(x < V(0), V(3.14159265358979323846), V(0)));
}
/// Returns the larger number, or NaN if a or b is NaN.
template <class V>
ERSATZ_HD V max(V a, V b) {
  return select(either(a > b, a != a), a, b);
}
template <class V>
ERSATZ_HD V min(V a, V b) {
  return select(either(a < b, a != a), a, b);
}
/// Returns the larger number. If one number is NaN, returns the other.
template <class V>
ERSATZ_HD V fmax(V a, V b) {
  return select(either(a >= b, b != b), a, b);
}
template <class V>
ERSATZ_HD V fmin(V a, V b) {
  return select(either(a <= b, b != b), a, b);
}
/// Clamps x to [low, high]; NaN stays NaN. If low is above high, returns high.
template <class V>
ERSATZ_HD V clamp(V x, V low, V high) {
  V raised = select(x < low, low, x);
  return select(raised > high, high, raised);
}
template <class V>
ERSATZ_HD V selu(V x) {
  constexpr double alpha = 1.6732632423543772848170429916717, scale = 1.0507009873554804934193349852946;
  return select(x > V(0), x * V(scale), expm1(x) * V(alpha * scale));
}
template <class V>
ERSATZ_HD V sinc(V x) {
  V px = x * V(3.14159265358979323846);
  return select(x == V(0), V(1), sin(px) / px);
}
/// Returns -x log x: 0 for 0, and -infinity for a negative number.
template <class V>
ERSATZ_HD V entr(V x) {
  V inside = select(x == V(0), V(0), V(-kInfinity));
  return select(x != x, x, select(x > V(0), -x * log(x), inside));
}
/// Returns x * f, where f is a function of y. If x is 0, returns 0 for any f; if y is NaN, returns NaN.
template <class V>
ERSATZ_HD V x_times(V x, V y, V f) {
  return select(y != y, y, select(x == V(0), V(0), x * f));
}
template <class V>
ERSATZ_HD V logaddexp(V a, V b) {
  V high = max(a, b);
  return select(both(a == b, is_inf(a)), a, high + log1p(exp(-abs(a - b))));
}
template <class V>
ERSATZ_HD V logaddexp2(V a, V b) {
  V high = max(a, b);
  return select(both(a == b, is_inf(a)), a, high + log1p(exp2(-abs(a - b))) * V(1.4426950408889634));
}

template <class V>
ERSATZ_HD V logit_within(V x, V eps) {
  V high = V(1) - eps;
  V z = select(x < eps, eps, select(x > high, high, x));
  return log(z / (V(1) - z));
}
template <class V>
ERSATZ_HD V nan_to_num(V x, V nan, V high, V low) {
  return select(x != x, nan, select(x == V(kInfinity), high, select(x == V(-kInfinity), low, x)));
}
ERSATZ_HD inline float trunc_divide(float a, float b) { return trunc(a / b); }
ERSATZ_HD inline double trunc_divide(double a, double b) { return trunc(a / b); }
#if !defined(__CUDACC__)
template <class T>
Vec<T> trunc_divide(Vec<T> a, Vec<T> b) {
  return trunc(a / b);
}
#endif
/// Computes from the nearer end, so that the result is exactly start for weight 0, and end for weight 1.
template <class V>
ERSATZ_HD V lerp(V start, V end, V weight) {
  V d = end - start;
  return select(abs(weight) < V(0.5), start + weight * d, end - d * (V(1) - weight));
}

/// Returns the cumulative distribution function of the normal distribution at x.
template <class V>
ERSATZ_HD V normal_below(V x) {
  return V(0.5) * (V(1) + erf(x * V(0.7071067811865476)));
}
template <class V>
ERSATZ_HD V gelu_tanh(V x) {
  return x * V(0.5) * (V(1) + tanh(V(0.7978845608028654) * (x + V(0.044715) * x * x * x)));
}

/// Returns half the squared distance of x and y up to a distance of delta, and a linear function beyond.
template <class V>
ERSATZ_HD V huber_loss(V x, V y, V delta) {
  const V d = abs(x - y);
  return select(d <= delta, V(0.5) * d * d, delta * (d - V(0.5) * delta));
}
/// Returns huber_loss divided by beta. If beta is 0, returns the distance |x - y|.
template <class V>
ERSATZ_HD V smooth_l1_loss(V x, V y, V beta) {
  const V d = abs(x - y);
  return select(d < beta, V(0.5) * d * d / beta, d - V(0.5) * beta);
}
/// The functions with `_backward` return x times the derivative of the activation at y. For complex numbers,
/// at::silu_backward does not conjugate the derivative, unlike the gradients of sigmoid and tanh.
template <class V>
ERSATZ_HD V silu_backward(V x, V y) {
  const V s = V(1) / (V(1) + exp(-y));
  return x * (s * (V(1) + y * (V(1) - s)));
}
template <class V>
ERSATZ_HD V mish_backward(V x, V y) {
  const V t = tanh(log1p(exp(y)));
  return x * (t + y * (V(1) - t * t) / (V(1) + exp(-y)));
}
template <class V>
ERSATZ_HD V gelu_tanh_backward(V x, V y) {
  constexpr double kScale = 0.7978845608028654, kCubic = 0.044715;  // kScale is sqrt(2 / pi)
  const V square = y * y, t = tanh(V(kScale) * y * (V(1) + V(kCubic) * square));
  const V slope = V(kScale) * (V(1) + V(3 * kCubic) * square);
  return x * V(0.5) * (V(1) + t + y * (V(1) - t * t) * slope);
}

}  // namespace m
}  // namespace
}  // namespace ersatz::vec
