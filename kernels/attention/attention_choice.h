// Which kernel `scaled_dot_product_attention` takes: a fused one that never holds all scores, or the composition of
// matrix products and a softmax. The choice decides the result's strides.
#pragma once

#include "kernels/attention/cuda_choice.h"
#include "runtime/op/rule.h"

namespace ersatz {

/// The metadata that the choice looks at; `mask` may be null.
struct AttentionOperands {
  const TensorMeta& query;
  const TensorMeta& key;
  const TensorMeta& value;
  const TensorMeta* mask;
  double dropout;
  bool causal;
  bool grouped;  ///< several query heads may share a head of key and value (`enable_gqa`)
};

struct AttentionChoice {
  AttentionKernel kernel = AttentionKernel::Math;
  bool layout_unknown = false;  ///< backends that this one may be give the result other strides
};

/// By device: on the CPU flash or math, on CUDA what `call.context.backend` takes. Of a GPU of which nothing is known
/// the choice is math, as PyTorch's own fakes have it where no GPU is. A mask of fewer than two dims beside 4-d
/// operands is an IndexError of `call`.
AttentionChoice choose_attention(const RuleCall& call, const AttentionOperands& of);

}  // namespace ersatz
