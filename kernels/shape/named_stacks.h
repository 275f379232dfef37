// `cat` by other names: `concat`, `hstack`, `vstack`, `dstack`, `column_stack`, each with an `out=` form.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_named_stacks {

inline constexpr Schema kConcat{"aten::{}(Tensor[] tensors, int dim=0) -> Tensor"};
inline constexpr Schema kConcatOut{"aten::{}.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kNamedStack{"aten::{}(Tensor[] tensors) -> Tensor"};
inline constexpr Schema kNamedStackOut{"aten::{}.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)"};

}  // namespace ersatz::op_named_stacks

namespace ersatz::ops {

/// `cat`, as `concatenate` is.
Tensor concat(std::span<const Tensor> tensors, int64_t dim = 0);
/// Along dim 1, vectors along dim 0.
/// [hstack.C1] at least one tensor.
Tensor hstack(std::span<const Tensor> tensors);
/// As rows along dim 0; `row_stack` is the same.
/// [vstack.C1] [row_stack.C1] at least one tensor.
Tensor vstack(std::span<const Tensor> tensors);
/// Along dim 2 of what `atleast_3d` makes of them.
/// [dstack.C1] at least one tensor.
Tensor dstack(std::span<const Tensor> tensors);
/// Vectors as columns, others along dim 1.
/// [column_stack.C1] at least one tensor.
Tensor column_stack(std::span<const Tensor> tensors);

}  // namespace ersatz::ops
