// The gradient of `embedding`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/embedding_backward.h"

namespace ersatz::op_embedding_backward {

/// Adds row i of the gradient to row indices[i] of the result, which has `num_weights` rows. Skips rows whose index is
/// `padding_idx`. With `scale_grad_by_freq`, divides each row by the number of occurrences of its index. Skips indices
/// that are out of range, as PyTorch's CPU kernel does.
/// [embedding_dense_backward.C1] indices are i64 or i32.
/// [embedding_dense_backward.C2] the gradient has one row for each index.
/// [embedding_dense_backward.C3] num_weights >= 0.
inline constexpr TypedSchema kEmbeddingDenseBackward{
    "aten::embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool "
    "scale_grad_by_freq) -> Tensor"};

}  // namespace ersatz::op_embedding_backward
