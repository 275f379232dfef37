// Selection by indices along one dim: `index_select`, `gather`, `embedding`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/index_select.h"

namespace ersatz::op_index_select {

/// Returns the slices along `dim` that a vector of indices selects. A 0-d input counts as a vector of size 1.
/// [index_select.C1] the index has at most one dim and is i32 or i64.
/// [index_select.C2] for a 0-d input, the index has exactly one element.
/// Values: each index is in [0, size) (else IndexError).
inline constexpr TypedSchema kIndexSelect{"aten::index_select(Tensor self, int dim, Tensor index) -> Tensor"};
/// Returns out with out[i][j] = self[index[i][j]][j] for dim 0, and accordingly for other dims.
/// [gather.C1] the index is i64; an empty index may be i32.
/// [gather.C2] self and index have equal ranks; 0-d counts as rank 1.
/// [gather.C3] the index is not larger than self in any dim except `dim`.
/// Values: each index is in [0, size) (else RuntimeError).
inline constexpr TypedSchema kGather{
    "aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor"};
/// Returns rows of `weight`. The result's sizes are the sizes of `indices` and then the size of a row.
/// [embedding.C1] weight has two dims.
/// [embedding.C2] indices are i32 or i64.
/// Values: each index is in [0, rows) (else IndexError).
inline constexpr TypedSchema kEmbedding{
    "aten::embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool "
    "sparse=False) -> Tensor"};

}  // namespace ersatz::op_index_select
