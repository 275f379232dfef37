// stack: tensors joined along a new dim.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/stack.h"

namespace ersatz::op_stack {

/// Each input becomes one index of the new dim.
/// [stack.C1] there is at least one tensor.
/// [stack.C2] all sizes are equal.
inline constexpr TypedSchema kStack{"aten::stack(Tensor[] tensors, int dim=0) -> Tensor"};
/// `stack` with a row-major result for inputs of any layout.
inline constexpr TypedSchema kRowMajor{"aten::_stack(Tensor[] tensors, int dim=0) -> Tensor"};

}  // namespace ersatz::op_stack
