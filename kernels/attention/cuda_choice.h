// Which kernel PyTorch 2.15 takes for `scaled_dot_product_attention` on a GPU, by what is known of the backend.
//
// Sources, as facts: the constraints that `torch.backends.cuda.can_use_flash_attention` and its siblings warn about;
// docs of `torch.nn.attention.sdpa_kernel`; the headers of PyTorch 2.15 that are installed with it; pull requests and
// issues that cuda_choice.cpp names where they decide.
#pragma once

#include <optional>

#include "runtime/base/context.h"
#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// Results of `_fused_sdp_choice`, with ATen's numbers.
enum class AttentionKernel : int64_t { Math = 0, Flash = 1, Efficient = 2, Cudnn = 3 };

/// What decides. Operands without a batch have got one of one.
struct CudaAttention {
  TensorMeta query, key, value;
  std::optional<TensorMeta> mask;
  double dropout = 0;
  bool causal = false;
  bool grouped = false;        ///< several query heads may share a head of key and value (`enable_gqa`)
  bool trains = false;         ///< an operand wants a gradient
  bool deterministic = false;  ///< deterministic algorithms only
};

/// REQUIRES: backend.cuda_capability > 0. An unknown cuDNN is none.
AttentionKernel choose_on_cuda(const CudaAttention& of, const BackendRecord& backend);

/// Strides of the result that a kernel gives, padding and slicing of features included. REQUIRES: four dims.
DimVec attention_strides(const CudaAttention& of, AttentionKernel kernel);

/// What a backend may turn out to be when more is known of it: itself where the choice depends on nothing unknown.
/// The result lives as long as the process.
std::span<const BackendRecord> backends_like(const BackendRecord& backend);

}  // namespace ersatz
