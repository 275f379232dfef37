// Tensors joined along a new dim.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_stack {

inline constexpr Schema kStack{"aten::stack(Tensor[] tensors, int dim=0) -> Tensor"};

}  // namespace ersatz::op_stack

namespace ersatz::ops {

/// Each input one index of a new dim.
/// [stack.C1] at least one tensor.
/// [stack.C2] equal sizes.
Tensor stack(std::span<const Tensor> tensors, int64_t dim = 0);

}  // namespace ersatz::ops
