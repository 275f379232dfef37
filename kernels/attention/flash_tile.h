// The tile of queries and keys that a block of CUDA's flash attention holds: a pure function of the problem and of the
// number of the device's multiprocessors, so that it is tested without a device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/cuda/device_code.h"

namespace ersatz::op_flash_attention {

inline constexpr size_t kMostShared = 96 << 10;  // of a block, with opt-in: what GPUs since sm_80 have
inline constexpr int kSide = 4;                  // of the square of products that a thread adds up

/// Rows of queries and of keys that a block holds at once, and where the parts of its memory begin (in numbers).
/// Queries, keys, scores and results are stored by columns (all queries, or all keys, of one feature), values by rows.
struct Tile {
  int queries, keys;  ///< powers of two, at least 8
  int features, value_features;
  // Columns of neighbouring threads begin in different banks.
  ERSATZ_HD constexpr int query_column() const { return queries + kSide; }
  ERSATZ_HD constexpr int key_column() const { return keys + kSide; }
  ERSATZ_HD constexpr int value_row() const { return (value_features + kSide - 1) / kSide * kSide; }
  ERSATZ_HD constexpr int64_t key() const { return int64_t(features) * query_column(); }
  ERSATZ_HD constexpr int64_t value() const { return key() + int64_t(features) * key_column(); }
  ERSATZ_HD constexpr int64_t out() const { return value() + int64_t(keys) * value_row(); }
  ERSATZ_HD constexpr int64_t scores() const { return out() + int64_t(value_row()) * query_column(); }
  ERSATZ_HD constexpr int64_t rescale() const { return scores() + int64_t(keys) * query_column(); }
  ERSATZ_HD constexpr int64_t size() const { return rescale() + queries; }
};

/// The tile of a block, as large as fits into shared memory. Few queries or few heads have fewer queries in a tile, so
/// that each multiprocessor has two blocks. `heads`: of all batches. `item_size`: bytes of a number.
constexpr Tile choose_tile(int64_t queries, int64_t heads, int features, int value_features, size_t item_size,
                           int multiprocessors) {
  Tile tile{64, 64, features, value_features};
  while (tile.queries > 8 && tile.queries / 2 >= queries) tile.queries /= 2;
  while (tile.queries > 16 && heads * ((queries + tile.queries - 1) / tile.queries) < 2 * int64_t(multiprocessors)) {
    tile.queries /= 2;
  }
  while (tile.size() * item_size > kMostShared && tile.queries * tile.keys > 64) {
    (tile.keys >= tile.queries && tile.keys > 8 ? tile.keys : tile.queries) /= 2;
  }
  return tile;
}

}  // namespace ersatz::op_flash_attention
