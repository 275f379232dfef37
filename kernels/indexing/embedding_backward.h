// The gradient of `embedding`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/embedding_backward.h"

namespace ersatz::op_embedding_backward {

/// Adds row i of the gradient to row indices[i] of the result, which has `num_weights` rows. Rows of `padding_idx` are
/// skipped. With `scale_grad_by_freq` each row is divided by the number of times that its index occurs. Indices out of
/// range are skipped, like in PyTorch's CPU kernel.
/// [embedding_dense_backward.C1] i64 or i32 indices.
/// [embedding_dense_backward.C2] the gradient has a row for each index.
/// [embedding_dense_backward.C3] num_weights >= 0.
inline constexpr TypedSchema kEmbeddingDenseBackward{
    "aten::embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool "
    "scale_grad_by_freq) -> Tensor"};

}  // namespace ersatz::op_embedding_backward
