// `Problem`: the sizes and addresses of one flash attention call. The kernels for the CPU and for CUDA read it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/attention/flash_attention.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_flash_attention {

/// The address of an operand and its strides in elements, in the order batch, head, position, feature.
struct Operand {
  std::byte* data = nullptr;
  DType dtype = DType::F32;
  int64_t strides[4] = {};

  explicit Operand(const Tensor& t) : data(t.raw_data()), dtype(t.dtype()) {
    for (size_t d = 0; d < size_t(t.dim()); ++d) strides[d] = t.strides()[d].as_int();
  }
  Operand() = default;
  std::byte* at(int64_t b, int64_t h, int64_t i) const {
    return data + (b * strides[0] + h * strides[1] + i * strides[2]) * item_size(dtype);
  }
};

struct Problem {
  /// mask: null, or [batch, head, query, key]; sums (the logsumexp) may be null
  Operand query, key, value, mask, out, sums;
  int64_t batches, heads, queries, keys, features;
  int64_t group;  ///< number of query heads for each key head; CUDA also has Extras::value_group
  double scale;
  bool causal;
};

/// Arguments that only CUDA's operators have.
struct Extras {
  int64_t value_features = 0, value_group = 1;
  // Query i uses keys i + shift - left to i + shift + right. A negative bound means no bound. If `from_end` is true,
  // shift is the number of keys minus the number of queries of the batch, otherwise 0.
  int64_t left = -1, right = -1;
  bool from_end = false;
  // For packed sequences, the position at which each sequence begins, and the end of the last one. Null if the tensors
  // have a batch dim.
  const int32_t *query_starts = nullptr, *key_starts = nullptr;
  bool packed_sums = false;             ///< true: the logsumexp is packed too
  const int32_t* key_counts = nullptr;  ///< for each batch, the number of keys that are used
  const float* slopes = nullptr;        ///< ALiBi: the amount that a score loses for each step away from the diagonal
  int64_t slope_strides[2] = {};        ///< strides of `slopes` for batch and head
  double hidden_sum = 0;                ///< the logsumexp that is written for a query that uses no key
  // Philox word w decides if dropout drops weight w, where w counts the elements of [batch, head, query, key].
  double dropout = 0;
  uint64_t seed = 0, offset = 0;
};

/// Returns the mask as [batch, head, query, key]. Dims of size 1 have stride 0.
inline Operand mask_operand(const Tensor& mask) {
  Operand m(mask);
  const size_t skipped = 4 - size_t(mask.dim());
  for (size_t d = 4; d-- > 0;) {
    const bool broadcast = d < skipped || mask.sizes()[d - skipped].as_int() == 1;
    m.strides[d] = broadcast ? 0 : mask.strides()[d - skipped].as_int();
  }
  return m;
}

// Returns the Problem for a CPU call with the arguments (query, key, value, dropout_p, is_causal, attn_mask, scale).
inline Problem problem_of(const KernelCall& call) {
  const Tensor query = call.tensor(kScaledDotProductFlashAttentionForCpu["query"]),
               key = call.tensor(kScaledDotProductFlashAttentionForCpu["key"]);
  const auto q = as_ints(query.sizes()), k = as_ints(key.sizes());
  return {Operand(query),
          Operand(key),
          Operand(call.tensor(kScaledDotProductFlashAttentionForCpu["value"])),
          call.has(kScaledDotProductFlashAttentionForCpu["attn_mask"])
              ? mask_operand(call.tensor(kScaledDotProductFlashAttentionForCpu["attn_mask"]))
              : Operand(),
          Operand(call.outputs[0]),
          Operand(call.outputs[1]),
          q[0],
          q[1],
          q[2],
          k[2],
          q[3],
          k[1] > 0 ? std::max<int64_t>(1, q[1] / k[1]) : 1,
          call.has(kScaledDotProductFlashAttentionForCpu["scale"])
              ? call.real(kScaledDotProductFlashAttentionForCpu["scale"])
              : 1 / std::sqrt(double(q[3])),
          call.boolean(kScaledDotProductFlashAttentionForCpu["is_causal"])};
}

}  // namespace ersatz::op_flash_attention
