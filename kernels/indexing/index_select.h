// Selection by indices along one dim: `index_select`, `gather`, `embedding`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/index_select.h"

namespace ersatz::op_index_select {

/// The slices of `dim` that a vector of indices names. A 0-d input counts as a vector of size 1.
/// [index_select.C1] an index of at most one dim, i32 or i64.
/// [index_select.C2] a 0-d input takes exactly one index.
/// Values: each index is in [0, size) (index error).
inline constexpr TypedSchema kIndexSelect{"aten::index_select(Tensor self, int dim, Tensor index) -> Tensor"};
/// out[i][j] = self[index[i][j]][j] for dim 0, and so on.
/// [gather.C1] an i64 index, unless it is empty (i32 too).
/// [gather.C2] equal ranks; 0-d counts as 1.
/// [gather.C3] the index is not larger than the input, except in `dim`.
/// Values: each index is in [0, size) (runtime error).
inline constexpr TypedSchema kGather{
    "aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor"};
/// Rows of `weight`. The result's sizes are those of `indices` followed by the row's.
/// [embedding.C1] a weight of 2 dims.
/// [embedding.C2] i32 or i64 indices.
/// Values: each index is in [0, rows) (index error).
inline constexpr TypedSchema kEmbedding{
    "aten::embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool "
    "sparse=False) -> Tensor"};

}  // namespace ersatz::op_index_select
