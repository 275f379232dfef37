// The gradient of `embedding`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/embedding_backward.h"

namespace ersatz::op_embedding_backward {

/// Rows of the gradient added up where the indices say, `num_weights` rows in all; those of `padding_idx` are left out,
/// and with `scale_grad_by_freq` each counts as one part of the number of times that its index occurs. Indices outside
/// the rows are left out, as PyTorch's CPU kernel does.
/// [embedding_dense_backward.C1] i64 or i32 indices.
/// [embedding_dense_backward.C2] a gradient with a row for each index.
/// [embedding_dense_backward.C3] num_weights >= 0.
inline constexpr TypedSchema kEmbeddingDenseBackward{
    "aten::embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool "
    "scale_grad_by_freq) -> Tensor"};

}  // namespace ersatz::op_embedding_backward
