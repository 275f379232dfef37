// `embedding_renorm`: scales rows of a table down to a maximal norm. `indices` selects the rows.
//
// [embedding_renorm_.C1] the table has two dims.
// [embedding_renorm_.C2] indices are i32 or i64.
// [embedding_renorm_.C3] the table has at least one row if an index is given (else IndexError).
// The table is floating or complex. A row whose p-norm is above `max_norm` is multiplied by `max_norm / (norm + 1e-7)`.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_embedding_renorm {

inline constexpr Schema kInplace{
    "aten::embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) -> Tensor(a!)"};
inline constexpr Schema kFunctional{
    "aten::embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor"};

}  // namespace ersatz::op_embedding_renorm
