// Ops that call `cat`: `concat`, `hstack`, `vstack`, `dstack`, `column_stack`, each with an `out=` form.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/shape/named_stacks.h"

namespace ersatz::op_named_stacks {

/// `concat` is another name for `cat`, and so is `concatenate`.
inline constexpr TypedSchema kConcat{"aten::{}(Tensor[] tensors, int dim=0) -> Tensor", "concat"};
/// hstack: joins along dim 1, or along dim 0 if the tensors are vectors.
/// [hstack.C1] `tensors` is not empty.
/// vstack, row_stack: join along dim 0; a vector counts as a row.
/// [vstack.C1] [row_stack.C1] `tensors` is not empty.
/// dstack: joins the results of `atleast_3d` along dim 2.
/// [dstack.C1] `tensors` is not empty.
/// column_stack: joins along dim 1; a vector counts as a column.
/// [column_stack.C1] `tensors` is not empty.
inline constexpr TypedSchema kNamedStack{"aten::{}(Tensor[] tensors) -> Tensor", "hstack", "vstack", "dstack",
                                         "column_stack"};

}  // namespace ersatz::op_named_stacks
