// Flash attention on CUDA: one block of threads for each tile of queries of one head.
//
// A block keeps its queries, one tile of keys and values, their scores and the partial results in shared memory. The
// block reads all keys once, and rescales the partial results whenever a larger score appears (Milakov and Gimelshein,
// "Online normalizer calculation for softmax", 2018; Dao and others, "FlashAttention", 2022).
//
// A thread accumulates 4 x 4 products at a time, which needs two loads of four numbers for sixteen additions. If a tile
// has too many features for shared memory, the tile is in global memory. Sums have a fixed order, so results are
// deterministic.
#pragma once

#include <limits>

#include "kernels/attention/flash_scores.h"
#include "kernels/attention/flash_tile.h"
#include "runtime/cuda/launch.h"
#include "runtime/cuda/packet.h"

namespace ersatz::op_flash_attention {

inline constexpr int kAttendThreads = 256;
/// kShared: a block's tiles are in shared memory, otherwise in `scratch`. kShared is a template parameter because loads
/// from shared and from global memory use different instructions.
template <class T, class C, class M, bool kShared>
struct Attend : Scores<T, C, M> {
  using Scores<T, C, M>::p;
  using Scores<T, C, M>::x;
  using Four = Packet<C, kSide>;
  static constexpr int kMostThreads = kAttendThreads, kFewestBlocks = kShared && sizeof(C) == 4 ? 2 : 1;
  Tile tile;
  int64_t tiles, tasks, blocks;  ///< tiles of one head; tiles of all heads; blocks that process all tiles
  C scale, kept;                 ///< kept: the factor by which dropout multiplies the weights that it keeps
  C* scratch;

  /// The queries that a block processes. The struct is in shared memory, because all threads of the block read it.
  struct Part {
    Sequence s;
    int64_t b, h, first;  ///< first: the index of the first query
    int rows;
  };
  static constexpr int64_t kPartBytes = (sizeof(Part) + 15) / 16 * 16;
  /// The number of threads that share a query (`width`), the query's row, and the index of this thread among them
  /// (`member`).
  struct Place {
    int width, row, member;
  };
  struct Larger {
    ERSATZ_DEVICE C operator()(C a, C b) const { return b > a || b != b ? b : a; }  // a NaN is the larger number
  };
  struct Sum {
    ERSATZ_DEVICE C operator()(C a, C b) const { return a + b; }
  };

  ERSATZ_DEVICE static bool hidden(C top) { return top == -std::numeric_limits<C>::infinity(); }
  ERSATZ_DEVICE static Four four(const C* from) { return *reinterpret_cast<const Four*>(from); }
  ERSATZ_DEVICE static void store(C* to, const Four& numbers) { *reinterpret_cast<Four*>(to) = numbers; }

  /// Copies rows of an operand to `to`: element d of row i goes to i * row_step + d * feature_step. Rows from `rows` to
  /// `places`, and features from `features` to `padded`, are filled with zeros.
  ERSATZ_DEVICE void load(const cuda_module::Block& block, const Operand& from, int64_t b, int64_t h, int64_t first,
                          int rows, int places, int features, int padded, int row_step, int feature_step, C* to) const {
    const T* data =
        reinterpret_cast<const T*>(from.data) + b * from.strides[0] + h * from.strides[1] + first * from.strides[2];
    ERSATZ_UNROLL_BY(4)
    for (int i = block.thread() / cuda_module::Block::kWarp; i < places;
         i += block.threads() / cuda_module::Block::kWarp) {
      for (int d = block.lane(); d < padded; d += cuda_module::Block::kWarp) {
        const bool there = i < rows && d < features;
        to[i * row_step + d * feature_step] = there ? C(data[i * from.strides[2] + d * from.strides[3]]) : C(0);
      }
    }
  }

  /// Computes the scores of the tile's queries with n keys, beginning with key `k`.
  ERSATZ_DEVICE void score_tile(const cuda_module::Block& block, C* memory, const Part& part, int64_t k, int n) const {
    const C *query = memory, *key = memory + tile.key();
    C* scores = memory + tile.scores();
    const int groups = tile.queries / kSide, query_column = tile.query_column(), key_column = tile.key_column();
    const bool all_seen = !p.mask.data && !x.slopes && k >= this->first_key(part.s, part.first + part.rows - 1) &&
                          k + n <= this->end_key(part.s, part.first);
    for (int e = block.thread(); e < groups * (tile.keys / kSide); e += block.threads()) {
      const int i = e % groups * kSide, j = e / groups * kSide;
      Four sums[kSide] = {};  // sums[c].item[r] is the sum for key c and query r
      for (int d = 0; d < tile.features; ++d) {
        const Four q = four(query + d * query_column + i), keys = four(key + d * key_column + j);
        ERSATZ_UNROLL
        for (int c = 0; c < kSide; ++c) {
          ERSATZ_UNROLL
          for (int r = 0; r < kSide; ++r) sums[c].item[r] += q.item[r] * keys.item[c];
        }
      }
      ERSATZ_UNROLL
      for (int c = 0; c < kSide; ++c) {
        ERSATZ_UNROLL
        for (int r = 0; r < kSide; ++r) {
          sums[c].item[r] *= scale;
          if (!all_seen && i + r < part.rows && j + c < n) {
            sums[c].item[r] = this->score(sums[c].item[r], part.s, part.b, part.h, part.first + i + r, k + j + c);
          }
        }
        store(scores + (j + c) * query_column + i, sums[c]);
      }
    }
  }

  /// Replaces the scores of a query by weights. Updates `top`, the query's largest score, and adds the weights to
  /// `sum`.
  ERSATZ_DEVICE void weigh(const cuda_module::Block& block, C* memory, const Part& part, const Place& at, int64_t k,
                           int n, C& top, C& sum) const {
    C* row = memory + tile.scores() + at.row;
    const int count = at.row < part.rows ? n : 0, column = tile.query_column();
    C high = top;
    for (int j = at.member; j < count; j += at.width) high = Larger()(high, row[j * column]);
    high = block.reduce(high, Larger(), at.width);
    C added = 0;
    for (int j = at.member; j < count; j += at.width) {
      C weight = hidden(high) ? C(0) : C(std::exp(row[j * column] - high));
      added += weight;
      // Dropout drops a weight from the result, but not from the sum.
      if (x.dropout > 0 && this->dropped(part.b, part.h, part.first + at.row, k + j)) weight = 0;
      row[j * column] = weight;
    }
    const C change = high == top ? C(1) : C(std::exp(top - high));
    sum = sum * change + block.reduce(added, Sum(), at.width);
    top = high;
    if (at.member == 0) memory[tile.rescale() + at.row] = change;
  }

  /// Adds the values of n keys, times their weights, to the partial results.
  ERSATZ_DEVICE void accumulate(const cuda_module::Block& block, C* memory, int n) const {
    const C *scores = memory + tile.scores(), *value = memory + tile.value(), *rescale = memory + tile.rescale();
    C* out = memory + tile.out();
    const int groups = tile.queries / kSide, column = tile.query_column(), row = tile.value_row();
    for (int e = block.thread(); e < groups * (row / kSide); e += block.threads()) {
      const int i = e % groups * kSide, d = e / groups * kSide;
      const Four change = four(rescale + i);
      Four totals[kSide];  // totals[c].item[r] is the sum for feature c and query r
      ERSATZ_UNROLL
      for (int c = 0; c < kSide; ++c) {
        totals[c] = four(out + (d + c) * column + i);
        ERSATZ_UNROLL
        for (int r = 0; r < kSide; ++r) totals[c].item[r] *= change.item[r];
      }
      for (int j = 0; j < n; ++j) {
        const Four weights = four(scores + j * column + i), values = four(value + j * row + d);
        ERSATZ_UNROLL
        for (int c = 0; c < kSide; ++c) {
          ERSATZ_UNROLL
          for (int r = 0; r < kSide; ++r) totals[c].item[r] += weights.item[r] * values.item[c];
        }
      }
      ERSATZ_UNROLL
      for (int c = 0; c < kSide; ++c) store(out + (d + c) * column + i, totals[c]);
    }
  }

  ERSATZ_DEVICE void run(const cuda_module::Block& block, C* memory, int64_t task) const {
    Part& part = *block.template shared<Part>();
    if (block.thread() == 0) {
      part.b = task / tiles / p.heads, part.h = task / tiles % p.heads, part.first = task % tiles * tile.queries;
      part.s = this->sequence(part.b);
      const int64_t left = part.s.queries - part.first;
      part.rows = left < tile.queries ? static_cast<int>(left < 0 ? 0 : left) : tile.queries;
    }
    block.sync();
    if (part.rows == 0) return;
    const int width = block.threads() / tile.queries;
    const Place at{width, block.thread() / width, block.thread() % width};
    C* out = memory + tile.out();
    load(block, p.query, part.b, part.h, part.s.query_at + part.first, part.rows, tile.queries, tile.features,
         tile.features, 1, tile.query_column(), memory);
    for (int e = block.thread(); e < tile.value_row() * tile.query_column(); e += block.threads()) out[e] = 0;
    C top = -std::numeric_limits<C>::infinity(), sum = 0;
    const int64_t begin = this->first_key(part.s, part.first), end = this->end_key(part.s, part.first + part.rows - 1);
    for (int64_t k = begin; k < end; k += tile.keys) {
      const int n = end - k < tile.keys ? static_cast<int>(end - k) : tile.keys;
      block.sync();  // waits until all threads have read the previous tile
      load(block, p.key, part.b, part.h / p.group, part.s.key_at + k, n, tile.keys, tile.features, tile.features, 1,
           tile.key_column(), memory + tile.key());
      load(block, p.value, part.b, part.h / x.value_group, part.s.key_at + k, n, tile.keys, tile.value_features,
           tile.value_row(), tile.value_row(), 1, memory + tile.value());
      block.sync();
      score_tile(block, memory, part, k, n);
      block.sync();
      weigh(block, memory, part, at, k, n, top, sum);
      block.sync();
      accumulate(block, memory, n);
    }
    block.sync();
    if (at.member == 0) memory[tile.rescale() + at.row] = sum;
    block.sync();
    finish(block, memory, part, at, top, sum);
  }

  /// Writes the results of the tile's queries. REQUIRES: `rescale` has the sum of weights of each query. The sum is 0
  /// for a query that uses no key, and otherwise at least 1 or NaN.
  ERSATZ_DEVICE void finish(const cuda_module::Block& block, const C* memory, const Part& part, const Place& at, C top,
                            C sum) const {
    const C *out = memory + tile.out(), *total = memory + tile.rescale();
    const int64_t *o = p.out.strides, *s = p.sums.strides;
    T* to = reinterpret_cast<T*>(p.out.data) + part.b * o[0] + part.h * o[1] + (part.s.query_at + part.first) * o[2];
    for (int i = block.thread() / cuda_module::Block::kWarp; i < part.rows;
         i += block.threads() / cuda_module::Block::kWarp) {
      for (int d = block.lane(); d < tile.value_features; d += cuda_module::Block::kWarp) {
        to[i * o[2] + d * o[3]] = T(total[i] == 0 ? C(0) : out[d * tile.query_column() + i] / total[i] * kept);
      }
    }
    if (!p.sums.data || at.member != 0 || at.row >= part.rows) return;
    const int64_t query = part.first + at.row + (x.packed_sums ? part.s.query_at : 0);
    reinterpret_cast<C*>(p.sums.data)[part.b * s[0] + part.h * s[1] + query * s[2]] =
        hidden(top) ? C(x.hidden_sum) : C(top + std::log(sum));
  }

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    C* memory = nullptr;
    if constexpr (kShared) {
      memory = reinterpret_cast<C*>(block.template shared<std::byte>() + kPartBytes);
    } else {
      memory = scratch + block.index() * tile.size();
    }
    for (int64_t task = block.index(); task < tasks; task += blocks) {
      if (task != block.index()) block.sync();
      run(block, memory, task);
    }
  }
};

}  // namespace ersatz::op_flash_attention
