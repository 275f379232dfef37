// Operators of tensors, so that composite bodies can write formulas: `using namespace arithmetic; (a + b) * c / 2.0`.
#pragma once

#include "kernels/pointwise/pointwise.h"

namespace ersatz::arithmetic {

inline Tensor operator+(const Tensor& a, const Tensor& b) { return ops::add(a, b, 1); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return ops::sub(a, b, 1); }
inline Tensor operator-(const Tensor& a) { return ops::neg(a); }
inline Tensor operator*(const Tensor& a, const Tensor& b) { return ops::mul(a, b); }
inline Tensor operator/(const Tensor& a, const Tensor& b) { return ops::div(a, b); }
inline Tensor operator*(const Tensor& a, const Scalar& b) { return ops::mul(a, b); }
inline Tensor operator/(const Tensor& a, const Scalar& b) { return ops::div(a, b); }

}  // namespace ersatz::arithmetic
