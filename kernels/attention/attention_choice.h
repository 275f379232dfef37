// The kernel that `scaled_dot_product_attention` uses: a fused one that never stores all scores, or matrix products and
// a softmax. The choice determines the result's strides.
#pragma once

#include "kernels/attention/cuda_choice.h"
#include "runtime/op/rule.h"

namespace ersatz {

/// The metadata that determine the choice; `mask` may be null.
struct AttentionOperands {
  const TensorMeta& query;
  const TensorMeta& key;
  const TensorMeta& value;
  const TensorMeta* mask;
  double dropout;
  bool causal;
  bool grouped;  ///< several query heads may share one head of key and value (`enable_gqa`)
};

struct AttentionChoice {
  AttentionKernel kernel = AttentionKernel::Math;
  bool layout_unknown = false;  ///< the strides depend on facts of the backend that are not known
};

/// On the CPU the choice is flash or math. On CUDA `call.context.backend` decides; for an unknown GPU the choice is
/// math, as in PyTorch's fakes without a GPU. RAISES: IndexError of `call` for 4-d operands with a mask of fewer than
/// two dims.
AttentionChoice choose_attention(const RuleCall& call, const AttentionOperands& of);

}  // namespace ersatz
