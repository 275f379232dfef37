// `_chunk_cat`: cuts each tensor into equal chunks and joins the chunks that have equal numbers.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/shape/chunk_cat.h"

namespace ersatz::op_chunk_cat {

/// Returns [before..., num_chunks, elements of one chunk of each tensor]. Each tensor is padded with zeros along `dim`
/// until its chunks have equal sizes. A chunk is flattened from `dim` on.
/// [_chunk_cat.C1] there is a tensor; none is 0-d or empty; all have one dtype and device;
/// [_chunk_cat.C2] num_chunks is positive;
/// [_chunk_cat.C3] sizes before `dim` are equal.
inline constexpr TypedSchema kChunkCat{"aten::_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor"};

}  // namespace ersatz::op_chunk_cat
