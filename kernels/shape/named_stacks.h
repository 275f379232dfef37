// `cat` by other names: `concat`, `hstack`, `vstack`, `dstack`, `column_stack`, each with an `out=` form.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/shape/named_stacks.h"

namespace ersatz::op_named_stacks {

/// `cat`, as `concatenate` is.
inline constexpr TypedSchema kConcat{"aten::{}(Tensor[] tensors, int dim=0) -> Tensor", "concat"};
/// Along dim 1, vectors along dim 0.
/// [hstack.C1] at least one tensor.
/// As rows along dim 0; `row_stack` is the same.
/// [vstack.C1] [row_stack.C1] at least one tensor.
/// Along dim 2 of what `atleast_3d` makes of them.
/// [dstack.C1] at least one tensor.
/// Vectors as columns, others along dim 1.
/// [column_stack.C1] at least one tensor.
inline constexpr TypedSchema kNamedStack{"aten::{}(Tensor[] tensors) -> Tensor", "hstack", "vstack", "dstack",
                                         "column_stack"};

}  // namespace ersatz::op_named_stacks
