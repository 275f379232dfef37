// The gradient of `unfold`: adds each element of a window to the element of the input that it was read from.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/unfold_backward.h"

namespace ersatz::op_unfold_backward {

/// Returns a row-major tensor of `input_sizes`. The last dim of `grad_in` has the elements of a window. Each element of
/// the result is the sum of all window elements that `unfold` reads from it. If step < size, `grad_in` may have more
/// and longer windows than unfold returns; elements outside of the result are ignored.
/// [unfold_backward.C1] no size is negative.
/// [unfold_backward.C2] step is positive; size is not negative.
/// [unfold_backward.C3] `grad_in` has elements, and one dim more than `input_sizes`. Its dims except `dim` and the last
///                      broadcast to `input_sizes`. If step >= size, `grad_in` broadcasts to the sizes that `unfold`
///                      gives, which must be valid.
inline constexpr TypedSchema kUnfoldBackward{
    "aten::unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor"};

}  // namespace ersatz::op_unfold_backward
