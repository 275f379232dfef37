// The kernel that PyTorch 2.15 uses for `scaled_dot_product_attention` on a GPU, given a backend that may be partly
// unknown.
//
// Sources, for facts only: the constraints in the warnings of `torch.backends.cuda.can_use_flash_attention` and its
// siblings; the docs of `torch.nn.attention.sdpa_kernel`; the headers installed with PyTorch 2.15; pull requests and
// issues, which cuda_choice.cpp names.
#pragma once

#include <optional>

#include "runtime/base/context.h"
#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// The results of `_fused_sdp_choice`, with ATen's values.
enum class AttentionKernel : int64_t { Math = 0, Flash = 1, Efficient = 2, Cudnn = 3 };

/// The operands and settings that determine the choice. 3-d operands have been given a batch of size 1.
struct CudaAttention {
  TensorMeta query, key, value;
  std::optional<TensorMeta> mask;
  double dropout = 0;
  bool causal = false;
  bool grouped = false;        ///< several query heads may share one head of key and value (`enable_gqa`)
  bool trains = false;         ///< an operand requires a gradient
  bool deterministic = false;  ///< deterministic algorithms only
};

/// The kernel of a backend. REQUIRES: backend.cuda_capability > 0. An unknown cuDNN version counts as no cuDNN.
AttentionKernel choose_on_cuda(const CudaAttention& of, const BackendRecord& backend);

/// The strides of the kernel's result, after padding and slicing of features. REQUIRES: four dims.
DimVec attention_strides(const CudaAttention& of, AttentionKernel kernel);

/// The backends that `backend` may be, as far as they differ in the choice; `backend` itself if nothing unknown
/// matters. The result lives as long as the process.
std::span<const BackendRecord> backends_like(const BackendRecord& backend);

}  // namespace ersatz
