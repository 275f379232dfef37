// cumprod_backward: the gradient of cumprod.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/cumprod_backward.h"

namespace ersatz::op_cumprod_backward {

/// Computes the gradient for each row along `dim`. Element k before the first zero of its row gets the sum of grad[i] *
/// output[i], from i = k up to the zero, divided by element k. The first zero gets a sum over all i from this zero to
/// the second zero (exclusive): grad[i] times the product of elements 0 to i, without the first zero. Later elements
/// get 0. If input has one element, or size 1 in `dim`, the gradient is `grad`.
inline constexpr TypedSchema kCumprodBackward{
    "aten::cumprod_backward(Tensor grad, Tensor input, int dim, Tensor output) -> Tensor"};

}  // namespace ersatz::op_cumprod_backward
