// Chooses the kernel that PyTorch 2.15 uses for `scaled_dot_product_attention` on a GPU. Parts of the backend may be
// unknown.
//
// The conditions come from these sources: the warnings of `torch.backends.cuda.can_use_flash_attention` and similar
// functions, the docs of `torch.nn.attention.sdpa_kernel`, and the headers installed with PyTorch 2.15. Further sources
// are the pull requests and issues that cuda_choice.cpp names.
#pragma once

#include <optional>

#include "runtime/base/context.h"
#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// The kernels, with the values that ATen's `_fused_sdp_choice` returns.
enum class AttentionKernel : int64_t { Math = 0, Flash = 1, Efficient = 2, Cudnn = 3 };

/// The operands and settings that determine the kernel. REQUIRES: 3-d operands have been given a batch of size 1.
struct CudaAttention {
  TensorMeta query, key, value;
  std::optional<TensorMeta> mask;
  double dropout = 0;
  bool causal = false;
  bool grouped = false;        ///< true: several query heads may share one head of key and value (`enable_gqa`)
  bool trains = false;         ///< true: an operand requires a gradient
  bool deterministic = false;  ///< torch.use_deterministic_algorithms is on
};

/// Returns the kernel for a backend. REQUIRES: backend.cuda_capability > 0. An unknown cuDNN version counts as no
/// cuDNN.
AttentionKernel choose_on_cuda(const CudaAttention& of, const BackendRecord& backend);

/// Returns the strides of the kernel's result, after features have been padded and sliced. REQUIRES: four dims.
DimVec attention_strides(const CudaAttention& of, AttentionKernel kernel);

/// Returns the backends that a partly unknown backend may be. They differ in the choice of the kernel. Returns an empty
/// span if the known parts determine the kernel. The span is valid as long as the process runs.
std::span<const BackendRecord> backends_like(const BackendRecord& backend);

}  // namespace ersatz
