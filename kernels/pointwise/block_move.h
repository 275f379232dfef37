// Moves a block of n0 x n1 elements between memory of any strides, or converts elements between dtypes.
//
// These functions are loops over raw memory, in one thread. REQUIRES: callers cut their work into blocks that fit the
// cache. Strides are in bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/base/dtype.h"

namespace ersatz::pointwise {

/// The memory of a block.
struct BlockView {
  std::byte* data;
  int64_t stride0, stride1;  ///< in bytes; dim 0 is the inner one
};

/// Copies n0 x n1 elements of `item` bytes (1, 2, 4, 8 or 16) from `from` to `to`. REQUIRES: the memory of `to` and of
/// `from` does not overlap, or is identical.
void move_block(const BlockView& to, const BlockView& from, int64_t n0, int64_t n1, int64_t item);

/// Copies a row by stores that bypass the cache, for results too large to stay in cache. REQUIRES: the caller calls
/// `finish_streaming` before another thread reads the row.
void stream_row(std::byte* to, const std::byte* from, int64_t bytes);
void finish_streaming();

/// Converts n adjacent elements: to[i] = To(from[i]).
using Convert = void (*)(void* to, const void* from, int64_t n);
Convert converter(DType to, DType from);

}  // namespace ersatz::pointwise
