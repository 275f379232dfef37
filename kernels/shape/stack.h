// `stack`: joins tensors along a new dim.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/stack.h"

namespace ersatz::op_stack {

/// Returns a tensor with a new dim `dim`, whose index i has the elements of `tensors[i]`.
/// [stack.C1] `tensors` is not empty.
/// [stack.C2] all sizes are equal.
inline constexpr TypedSchema kStack{"aten::stack(Tensor[] tensors, int dim=0) -> Tensor"};
/// Works like `stack`, but the result is always row-major.
inline constexpr TypedSchema kRowMajor{"aten::_stack(Tensor[] tensors, int dim=0) -> Tensor"};

}  // namespace ersatz::op_stack
