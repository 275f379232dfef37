// Attention: softmax(scale * query @ key^T + mask) @ value, as one op that chooses its kernel, and by composition.
//
// Constraints
// [scaled_dot_product_attention.C1] query, key and value have one dtype.
// [scaled_dot_product_attention.C2] ... and at least 2 dims.
// [scaled_dot_product_attention.C3] a mask is bool, f32 or of the query's dtype.
// [scaled_dot_product_attention.C4] no mask beside is_causal.
// [_scaled_dot_product_attention_math.C4] no mask beside is_causal.
// [_scaled_dot_product_attention_math.C5] grouped: the heads of key and value divide those of the query.
//
// `scale`: 1 / sqrt(features) unless given. A bool mask is true where a key may be seen;
// `_scaled_dot_product_attention_math` takes masks to add only, and adds a bool one as numbers. Without elements in
// `value` the result is zeros.
#pragma once

#include <optional>

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

struct AttentionOptions {
  Tensor mask;
  double dropout = 0;
  bool causal = false;  ///< position i sees keys 0 to i
  std::optional<double> scale;
  bool grouped = false;  ///< several heads of the query share a head of key and value
};
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const AttentionOptions& options = {});

}  // namespace ersatz::ops
