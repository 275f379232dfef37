// Tensors cut into chunks of equal size, those of one place joined: `_chunk_cat`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/shape/chunk_cat.h"

namespace ersatz::op_chunk_cat {

/// Of sizes [before..., num_chunks, elements of one chunk of each tensor]: each tensor is filled up with zeros along
/// `dim` until its chunks have one size, and a chunk is flattened from that dim on.
/// [_chunk_cat.C1] a tensor at least, none of them 0-d or empty, all of one dtype and device;
/// [_chunk_cat.C2] a chunk at least;
/// [_chunk_cat.C3] the same sizes before `dim`.
inline constexpr TypedSchema kChunkCat{"aten::_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor"};

}  // namespace ersatz::op_chunk_cat
