// `_chunk_cat`: cuts each tensor into `num_chunks` equal chunks and joins chunk k of all tensors, for each k.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/shape/chunk_cat.h"

namespace ersatz::op_chunk_cat {

/// Returns a tensor of sizes [before..., num_chunks, n]; `before` are the sizes before `dim`. Each tensor is padded
/// with zeros along `dim` until its chunks have equal sizes. Chunks are flattened from `dim` on, and n is their total
/// length.
/// [_chunk_cat.C1] `tensors` is not empty; no tensor is 0-d or empty; all have one dtype and one device.
/// [_chunk_cat.C2] num_chunks is positive.
/// [_chunk_cat.C3] sizes before `dim` are equal in all tensors.
inline constexpr TypedSchema kChunkCat{"aten::_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor"};

}  // namespace ersatz::op_chunk_cat
