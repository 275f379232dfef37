// Tensors joined along a new dim.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/stack.h"

namespace ersatz::op_stack {

/// Each input one index of a new dim.
/// [stack.C1] at least one tensor.
/// [stack.C2] equal sizes.
inline constexpr TypedSchema kStack{"aten::stack(Tensor[] tensors, int dim=0) -> Tensor"};
/// The same, row-major whatever the inputs are.
inline constexpr TypedSchema kRowMajor{"aten::_stack(Tensor[] tensors, int dim=0) -> Tensor"};

}  // namespace ersatz::op_stack
