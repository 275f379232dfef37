// Moves a block of n0 x n1 elements that fits in cache, between any strides and between dtypes.
//
// Pure loops over raw memory. The callers cut the work into blocks that fit the cache. Strides are in bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/base/dtype.h"

namespace ersatz::pointwise {

/// The memory of a block.
struct BlockView {
  std::byte* data;
  int64_t stride0, stride1;  ///< bytes; dim 0 is the inner one
};

/// to(i, j) = from(i, j) for elements of `item` bytes (1, 2, 4, 8, 16). REQUIRES: the two do not overlap, or are
/// identical.
void move_block(const BlockView& to, const BlockView& from, int64_t n0, int64_t n1, int64_t item);

/// Copies a row with stores that bypass the cache, for results too big to be read again soon. Call `finish_streaming`
/// before another thread reads the row.
void stream_row(std::byte* to, const std::byte* from, int64_t bytes);
void finish_streaming();

/// to[i] = To(from[i]) for n adjacent elements.
using Convert = void (*)(void* to, const void* from, int64_t n);
Convert converter(DType to, DType from);

}  // namespace ersatz::pointwise
