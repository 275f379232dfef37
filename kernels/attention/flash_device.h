// Flash attention on CUDA: a block of threads for each tile of queries of one head.
//
// It holds its queries, a tile of keys and values, their scores and the results so far in shared memory, walks over the
// keys once and rescales what it has whenever a larger score turns up (Milakov and Gimelshein, "Online normalizer
// calculation for softmax", 2018; Dao and others, "FlashAttention", 2022). Heads with so many features that a tile does
// not fit into shared memory have the same tiles in global memory. Sums have a fixed order: results are deterministic.
#pragma once

#include <limits>
#include <type_traits>

#include "kernels/attention/flash_scores.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/launch.h"
#include "runtime/cuda/scratch.h"

namespace ersatz::op_flash_attention {

inline constexpr int kAttendThreads = 128;
inline constexpr size_t kMostShared = 96 << 10;  // of a block, with opt-in: what GPUs since sm_80 have

/// Rows of queries and of keys that a block holds at once, and where the parts of its memory begin (in numbers).
struct Tile {
  int queries, keys, features, value_features;
  // Rows of neighbouring threads begin in different banks.
  ERSATZ_HD int row() const { return features + 1 - features % 2; }
  ERSATZ_HD int value_row() const { return value_features + 1 - value_features % 2; }
  ERSATZ_HD int64_t key() const { return int64_t(queries) * row(); }
  ERSATZ_HD int64_t value() const { return key() + int64_t(keys) * row(); }
  ERSATZ_HD int64_t out() const { return value() + int64_t(keys) * value_row(); }
  ERSATZ_HD int64_t scores() const { return out() + int64_t(queries) * value_row(); }
  ERSATZ_HD int64_t top() const { return scores() + queries * keys; }
  ERSATZ_HD int64_t sum() const { return top() + queries; }
  ERSATZ_HD int64_t rescale() const { return sum() + queries; }
  ERSATZ_HD int64_t size() const { return rescale() + queries; }
};

/// kShared: a block's tiles are in shared memory, else in `scratch`. The compiler has to know: it loads from either by
/// other instructions.
template <class T, class C, class M, bool kShared>
struct Attend : Scores<T, C, M> {
  using Scores<T, C, M>::p;
  using Scores<T, C, M>::x;
  static constexpr int kMostThreads = kAttendThreads, kFewestBlocks = 2;
  Tile tile;
  int64_t tiles, tasks, blocks;  ///< tiles of one head; of all; how many blocks share them
  C scale, kept;                 ///< kept: the factor of weights that dropout leaves
  C* scratch;

  ERSATZ_DEVICE static bool hidden(C top) { return top == -std::numeric_limits<C>::infinity(); }
  // A weight that dropout drops has a minus sign: it counts in the sum, not in the result.
  ERSATZ_DEVICE static C summed(C weight) { return weight < 0 ? -weight : weight; }
  ERSATZ_DEVICE static C used(C weight) { return weight < 0 ? C(0) : weight; }

  /// Rows of an operand into memory, `to` having `row` numbers a row.
  ERSATZ_DEVICE void load(const cuda_module::Block& block, const Operand& from, int64_t b, int64_t h, int64_t first,
                          int rows, int features, int row, C* to) const {
    const T* data =
        reinterpret_cast<const T*>(from.data) + b * from.strides[0] + h * from.strides[1] + first * from.strides[2];
    for (int e = block.thread(); e < rows * features; e += block.threads()) {
      const int i = e / features, d = e % features;
      to[i * row + d] = C(data[i * from.strides[2] + d * from.strides[3]]);
    }
  }

  ERSATZ_DEVICE C product(const C* q, const C* k) const {
    C sum = 0;
    for (int d = 0; d < tile.features; ++d) sum += q[d] * k[d];
    return sum * scale;
  }

  /// One tile of keys, scored: raises the largest score of a row; NaN wins and stays.
  ERSATZ_DEVICE void raise_top(C* memory, int i, int keys) const {
    const C* row = memory + tile.scores() + i * tile.keys;
    const C before = memory[tile.top() + i];
    C top = before;
    for (int j = 0; j < keys; ++j) top = row[j] > top || row[j] != row[j] ? row[j] : top;
    memory[tile.top() + i] = top;
    memory[tile.rescale() + i] = top == before ? C(1) : C(std::exp(before - top));
  }

  ERSATZ_DEVICE void run(const cuda_module::Block& block, C* memory, int64_t task) const {
    const int64_t b = task / tiles / p.heads, h = task / tiles % p.heads, first = task % tiles * tile.queries;
    const Sequence s = this->sequence(b);
    const int64_t left = s.queries - first;
    if (left <= 0) return;
    const int rows = left < tile.queries ? static_cast<int>(left) : tile.queries;
    C *query = memory, *key = memory + tile.key(), *value = memory + tile.value(), *out = memory + tile.out();
    C *scores = memory + tile.scores(), *top = memory + tile.top(), *sum = memory + tile.sum();
    load(block, p.query, b, h, s.query_at + first, rows, tile.features, tile.row(), query);
    for (int e = block.thread(); e < tile.queries * tile.value_row(); e += block.threads()) out[e] = 0;
    for (int i = block.thread(); i < tile.queries; i += block.threads()) {
      top[i] = -std::numeric_limits<C>::infinity();
      sum[i] = 0;
    }
    const int64_t begin = this->first_key(s, first), end = this->end_key(s, first + rows - 1);
    for (int64_t k = begin; k < end; k += tile.keys) {
      const int n = end - k < tile.keys ? static_cast<int>(end - k) : tile.keys;
      block.sync();  // the tile before has been read
      load(block, p.key, b, h / p.group, s.key_at + k, n, tile.features, tile.row(), key);
      load(block, p.value, b, h / x.value_group, s.key_at + k, n, tile.value_features, tile.value_row(), value);
      block.sync();
      for (int e = block.thread(); e < rows * tile.keys; e += block.threads()) {
        const int i = e / tile.keys, j = e % tile.keys;
        if (j >= n) continue;
        scores[e] = this->score(product(query + i * tile.row(), key + j * tile.row()), s, b, h, first + i, k + j);
      }
      block.sync();
      for (int i = block.thread(); i < rows; i += block.threads()) raise_top(memory, i, n);
      block.sync();
      for (int e = block.thread(); e < rows * tile.keys; e += block.threads()) {
        const int i = e / tile.keys, j = e % tile.keys;
        if (j >= n) continue;
        const C weight = hidden(top[i]) ? C(0) : C(std::exp(scores[e] - top[i]));
        scores[e] = x.dropout > 0 && this->dropped(b, h, first + i, k + j) ? -weight : weight;
      }
      block.sync();
      accumulate(block, memory, rows, n);
    }
    block.sync();
    store(block, memory, b, h, s, first, rows);
  }

  ERSATZ_DEVICE void accumulate(const cuda_module::Block& block, C* memory, int rows, int n) const {
    const C *scores = memory + tile.scores(), *value = memory + tile.value(), *rescale = memory + tile.rescale();
    C *out = memory + tile.out(), *sum = memory + tile.sum();
    for (int e = block.thread(); e < rows * tile.value_features; e += block.threads()) {
      const int i = e / tile.value_features, d = e % tile.value_features;
      C total = out[i * tile.value_row() + d] * rescale[i];
      for (int j = 0; j < n; ++j) total += used(scores[i * tile.keys + j]) * value[j * tile.value_row() + d];
      out[i * tile.value_row() + d] = total;
    }
    for (int i = block.thread(); i < rows; i += block.threads()) {
      C total = sum[i] * rescale[i];
      for (int j = 0; j < n; ++j) total += summed(scores[i * tile.keys + j]);
      sum[i] = total;
    }
  }

  ERSATZ_DEVICE void store(const cuda_module::Block& block, C* memory, int64_t b, int64_t h, const Sequence& q,
                           int64_t first, int rows) const {
    const C *out = memory + tile.out(), *top = memory + tile.top(), *sum = memory + tile.sum();
    const int64_t *o = p.out.strides, *s = p.sums.strides;
    T* to = reinterpret_cast<T*>(p.out.data) + b * o[0] + h * o[1] + (q.query_at + first) * o[2];
    for (int e = block.thread(); e < rows * tile.value_features; e += block.threads()) {
      const int i = e / tile.value_features, d = e % tile.value_features;
      to[i * o[2] + d * o[3]] = T(hidden(top[i]) ? C(0) : out[i * tile.value_row() + d] / sum[i] * kept);
    }
    if (!p.sums.data) return;
    C* sums =
        reinterpret_cast<C*>(p.sums.data) + b * s[0] + h * s[1] + (first + (x.packed_sums ? q.query_at : 0)) * s[2];
    for (int i = block.thread(); i < rows; i += block.threads()) {
      sums[i * s[2]] = hidden(top[i]) ? C(x.hidden_sum) : C(top[i] + std::log(sum[i]));
    }
  }

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    C* memory = nullptr;
    if constexpr (kShared) {
      memory = block.template shared<C>();
    } else {
      memory = scratch + block.index() * tile.size();
    }
    for (int64_t task = block.index(); task < tasks; task += blocks) {
      if (task != block.index()) block.sync();
      run(block, memory, task);
    }
  }
};

template <class T, class C, class M>
void launch_attend(const Problem& p, const Extras& x, int device) {
  const int features = static_cast<int>(p.features), value_features = static_cast<int>(x.value_features);
  Tile tile{16, 32, features, value_features};
  for (const int rows : {16, 8}) {
    if (tile.size() * sizeof(C) > kMostShared) tile = {rows, rows, features, value_features};
  }
  const int64_t bytes = tile.size() * static_cast<int64_t>(sizeof(C));
  const bool fits = bytes <= static_cast<int64_t>(kMostShared);
  const int64_t tiles = (p.queries + tile.queries - 1) / tile.queries, tasks = p.batches * p.heads * tiles;
  const int64_t blocks = std::min<int64_t>(tasks, fits ? cuda_module::kMostBlocks : 1024);
  const cuda_module::DeviceScratch scratch(device, fits ? 0 : blocks * bytes);
  const auto launch = [&]<bool kShared>(std::bool_constant<kShared>) {
    cuda_module::launch_blocks(
        device, blocks, kAttendThreads, kShared ? static_cast<size_t>(bytes) : 0,
        Attend<T, C, M, kShared>{
            {p, x}, tile, tiles, tasks, blocks, C(p.scale), C(1 / (1 - x.dropout)), scratch.as<C>()});
  };
  fits ? launch(std::true_type()) : launch(std::false_type());
}

/// T, and C, that it is computed in, and M, the type of the mask's numbers.
template <class F>
void dispatch_attention(const Problem& p, const F& f) {
  dispatch_dtype<kFloats>(p.query.dtype, [&]<class T>() {
    using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
    if (p.mask.data && p.mask.dtype == DType::F32) {
      f.template operator()<T, C, float>();
    } else {
      f.template operator()<T, C, T>();
    }
  });
}

/// Every query of every sequence. REQUIRES: dropout < 1.
inline void attend_on_device(const Problem& p, const Extras& x, int device) {
  if (p.batches * p.heads * p.queries == 0) return;
  dispatch_attention(p, [&]<class T, class C, class M>() { launch_attend<T, C, M>(p, x, device); });
}

}  // namespace ersatz::op_flash_attention
