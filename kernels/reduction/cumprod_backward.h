// The gradient of running products.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/cumprod_backward.h"

namespace ersatz::op_cumprod_backward {

/// Before the first zero of a row: the sum of output * grad from there on, over input. At the first zero: the sum of
/// grad times the products without it, up to the next zero. Behind it: 0. Of one element the gradient itself.
inline constexpr TypedSchema kCumprodBackward{
    "aten::cumprod_backward(Tensor grad, Tensor input, int dim, Tensor output) -> Tensor"};

}  // namespace ersatz::op_cumprod_backward
