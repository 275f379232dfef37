// Ops composed of `cat`: `concat`, `hstack`, `vstack`, `dstack`, `column_stack`, each with an `out=` form.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/shape/named_stacks.h"

namespace ersatz::op_named_stacks {

/// Another name of `cat`, like `concatenate`.
inline constexpr TypedSchema kConcat{"aten::{}(Tensor[] tensors, int dim=0) -> Tensor", "concat"};
/// hstack: joins along dim 1, vectors along dim 0.
/// [hstack.C1] there is at least one tensor.
/// vstack and row_stack: joins along dim 0; vectors are rows.
/// [vstack.C1] [row_stack.C1] there is at least one tensor.
/// dstack: joins the results of `atleast_3d` along dim 2.
/// [dstack.C1] there is at least one tensor.
/// column_stack: joins along dim 1; vectors are columns.
/// [column_stack.C1] there is at least one tensor.
inline constexpr TypedSchema kNamedStack{"aten::{}(Tensor[] tensors) -> Tensor", "hstack", "vstack", "dstack",
                                         "column_stack"};

}  // namespace ersatz::op_named_stacks
