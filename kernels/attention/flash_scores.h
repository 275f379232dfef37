// Device functions for CUDA attention: the keys that a query uses, the terms added to its scores, and dropout of
// weights.
#pragma once

#include <limits>

#include "kernels/attention/flash_problem.h"
#include "kernels/random/draw_elements.h"
#include "runtime/cuda/device_code.h"

namespace ersatz::op_flash_attention {

/// The positions of the queries and keys of one batch: the first position and the number of positions. `shift` moves
/// the diagonal of masks.
struct Sequence {
  int64_t query_at, queries, key_at, keys, shift;
};

/// Computes scores in type C from elements of type T and a mask of type M.
template <class T, class C, class M>
struct Scores {
  Problem p;
  Extras x;

  ERSATZ_DEVICE Sequence sequence(int64_t b) const {
    Sequence s{0, p.queries, 0, p.keys, 0};
    if (x.query_starts) {
      s.query_at = x.query_starts[b];
      s.queries = x.query_starts[b + 1] - s.query_at;
    }
    if (x.key_starts) {
      s.key_at = x.key_starts[b];
      s.keys = x.key_starts[b + 1] - s.key_at;
    }
    if (x.key_counts && x.key_counts[b] < s.keys) s.keys = x.key_counts[b];
    if (x.from_end) s.shift = s.keys - s.queries;
    return s;
  }

  /// first_key returns the first key that a query uses, and end_key the key after the last one.
  ERSATZ_DEVICE int64_t first_key(const Sequence& s, int64_t query) const {
    const int64_t first = query + s.shift - x.left;
    return x.left < 0 || first < 0 ? 0 : first;
  }
  ERSATZ_DEVICE int64_t end_key(const Sequence& s, int64_t query) const {
    const int64_t right = p.causal ? 0 : x.right, end = query + s.shift + right + 1;
    return right < 0 || end > s.keys ? s.keys : end < 0 ? 0 : end;
  }

  /// Returns `sum`, the product of a query and a key, plus mask and slopes. Returns -infinity if the query does not use
  /// the key.
  ERSATZ_DEVICE C score(C sum, const Sequence& s, int64_t b, int64_t h, int64_t query, int64_t key) const {
    if (key < first_key(s, query) || key >= end_key(s, query)) return -std::numeric_limits<C>::infinity();
    if (p.mask.data) {
      const int64_t* at = p.mask.strides;
      sum += C(reinterpret_cast<const M*>(p.mask.data)[b * at[0] + h * at[1] + query * at[2] + key * at[3]]);
    }
    if (x.slopes) {
      const int64_t away = query + s.keys - s.queries - key;
      sum -= C(x.slopes[b * x.slope_strides[0] + h * x.slope_strides[1]]) * C(away < 0 ? -away : away);
    }
    return sum;
  }

  /// True if dropout drops this weight. The random words are those that aten::dropout would use for the tensor of
  /// weights, so the composite operator drops the same weights.
  ERSATZ_DEVICE bool dropped(int64_t b, int64_t h, int64_t query, int64_t key) const {
    const uint64_t w = static_cast<uint64_t>(((b * p.heads + h) * p.queries + query) * p.keys + key);
    return !(uniform24(philox_words(x.seed, x.offset + w / 4).word[w % 4]) < 1 - x.dropout);
  }
};

}  // namespace ersatz::op_flash_attention
