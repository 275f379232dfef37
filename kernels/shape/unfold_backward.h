// The gradient of `unfold`: windows added back where they were taken from.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/unfold_backward.h"

namespace ersatz::op_unfold_backward {

/// A row-major tensor of `input_sizes`: the sum of the windows that `grad_in` has as its last dim, each where `unfold`
/// with these arguments took it. Windows that share elements (step < size) may be more and longer than `unfold` would
/// give: what lies outside is left out.
/// [unfold_backward.C1] no negative size.
/// [unfold_backward.C2] step > 0; size >= 0.
/// [unfold_backward.C3] `grad_in` has elements and one dim more than `input_sizes`; all but `dim` and the last
///                      broadcast to these. With step >= size: it broadcasts to what `unfold` gives, which has to
///                      exist.
inline constexpr TypedSchema kUnfoldBackward{
    "aten::unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor"};

}  // namespace ersatz::op_unfold_backward
