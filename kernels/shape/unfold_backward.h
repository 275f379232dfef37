// The gradient of `unfold`: adds windows to the elements that they were read from.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/unfold_backward.h"

namespace ersatz::op_unfold_backward {

/// Returns a row-major tensor of `input_sizes`: the sum of the windows (last dim of `grad_in`), each at the place from
/// which `unfold` with these arguments reads it. If windows overlap (step < size), there may be more and longer windows
/// than those of `unfold`; elements outside of the result are ignored.
/// [unfold_backward.C1] no size is negative.
/// [unfold_backward.C2] step is positive; size is not negative.
/// [unfold_backward.C3] `grad_in` has elements and one dim more than `input_sizes`; all dims but `dim` and the last
///                      broadcast to these sizes. With step >= size, it broadcasts to the sizes that `unfold` gives,
///                      which must be valid.
inline constexpr TypedSchema kUnfoldBackward{
    "aten::unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor"};

}  // namespace ersatz::op_unfold_backward
