// cumprod_backward: the gradient of cumprod.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/cumprod_backward.h"

namespace ersatz::op_cumprod_backward {

/// Computes the gradient for each row along `dim`. An element before the first zero of its row gets the sum of output *
/// grad from that element up to the zero, divided by the element. The first zero gets the sum of grad[i] times the
/// product of elements up to i without this zero, for all i before the second zero. Later elements get 0. If input has
/// one element, or size 1 in `dim`, the gradient is `grad`.
inline constexpr TypedSchema kCumprodBackward{
    "aten::cumprod_backward(Tensor grad, Tensor input, int dim, Tensor output) -> Tensor"};

}  // namespace ersatz::op_cumprod_backward
