// The tile of queries and keys that one block of CUDA's flash attention processes. choose_tile is a pure function of
// sizes and the number of multiprocessors, so that it can be tested without a device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/cuda/device_code.h"

namespace ersatz::op_flash_attention {

// the bytes of shared memory that a block may use; GPUs since sm_80 allow them after an opt-in
inline constexpr size_t kMostShared = 96 << 10;
inline constexpr int kSide = 4;  // a thread accumulates a square of kSide x kSide products

/// The numbers of queries and keys that a block processes at once, and the offsets of the parts of its memory, in
/// elements. Queries, keys, scores and results are stored by columns (all queries, or all keys, of one feature). Values
/// are stored by rows.
struct Tile {
  int queries, keys;  ///< powers of two, at least 8
  int features, value_features;
  // kSide elements of padding separate the columns, so that neighbouring threads read different banks of shared memory.
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

/// Returns the largest tile that fits into shared memory. If there are few queries or heads, a tile has fewer queries,
/// so that each multiprocessor has two blocks. `heads` counts the heads of all batches. `item_size` is the bytes of an
/// element.
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
