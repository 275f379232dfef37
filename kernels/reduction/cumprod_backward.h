// The gradient of cumprod.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/cumprod_backward.h"

namespace ersatz::op_cumprod_backward {

/// For elements before the first zero of a row, `output * grad` is summed from the element up to the zero and divided
/// by the element. The first zero gets the sum of grad[i] times product i computed without this zero, for i up to the
/// second zero. Later elements get 0. An input with one element, or with size 1 in `dim`, gets `grad`.
inline constexpr TypedSchema kCumprodBackward{
    "aten::cumprod_backward(Tensor grad, Tensor input, int dim, Tensor output) -> Tensor"};

}  // namespace ersatz::op_cumprod_backward
