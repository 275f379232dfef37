// Rows of an embedding's table scaled down to a norm, where indices name them: `embedding_renorm`.
//
// [embedding_renorm_.C1] a table of two dims.
// [embedding_renorm_.C2] i32 or i64 indices.
// [embedding_renorm_.C3] a row, where one is named (index error).
// Rows are floating or complex. One whose p-norm is above `max_norm` becomes `max_norm / (norm + 1e-7)` of itself.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_embedding_renorm {

inline constexpr Schema kInplace{
    "aten::embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) -> Tensor(a!)"};
inline constexpr Schema kFunctional{
    "aten::embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor"};

}  // namespace ersatz::op_embedding_renorm
