// Which kernel `scaled_dot_product_attention` takes on the CPU: the fused one that never holds all scores, or the
// composition of matrix products and a softmax. The choice decides the result's strides.
#pragma once

#include "runtime/rule.h"

namespace ersatz {

/// Answers of `_fused_sdp_choice`, with ATen's numbers.
enum class AttentionKernel : int64_t { Math = 0, Flash = 1 };

/// The metadata that the choice looks at; `mask` may be null.
struct AttentionOperands {
  const TensorMeta& query;
  const TensorMeta& key;
  const TensorMeta& value;
  const TensorMeta* mask;
  double dropout;
  bool grouped;  ///< several query heads may share a head of key and value (`enable_gqa`)
};

/// Math on other devices than the CPU: their fused kernels are not here. A mask of fewer than two dims beside 4-d
/// operands is an IndexError of `call`.
AttentionKernel choose_attention(const RuleCall& call, const AttentionOperands& of);

}  // namespace ersatz
