// Chooses the kernel for `scaled_dot_product_attention`. Fused kernels never store all scores at once. The math kernel
// uses matrix products and a softmax. The strides of the result depend on the kernel.
#pragma once

#include "kernels/attention/cuda_choice.h"
#include "runtime/op/rule.h"

namespace ersatz {

/// The metadata that determine the kernel. `mask` may be null.
struct AttentionOperands {
  const TensorMeta& query;
  const TensorMeta& key;
  const TensorMeta& value;
  const TensorMeta* mask;
  double dropout;
  bool causal;
  bool grouped;  ///< true: several query heads may share one head of key and value (`enable_gqa`)
};

struct AttentionChoice {
  AttentionKernel kernel = AttentionKernel::Math;
  bool layout_unknown = false;  ///< true: the strides depend on properties of the backend that are not known
};

/// Returns the kernel. On the CPU it is Flash or Math. On CUDA it depends on `call.context.backend`; for an unknown GPU
/// it is Math, like in PyTorch's fake mode without a GPU. RAISES: IndexError for 4-d operands with a mask of fewer than
/// two dims.
AttentionChoice choose_attention(const RuleCall& call, const AttentionOperands& of);

}  // namespace ersatz
