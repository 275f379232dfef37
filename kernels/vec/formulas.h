// Functions written once, in terms of vec/math.h, for vectors and plain floats. Internal linkage, like vec.h.
#pragma once

#include "kernels/vec/math.h"

namespace ersatz::vec {
namespace {
namespace m {

// `V` is never an integer here.
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
