// The batch norms that PyTorch's CUDA build runs by cuDNN, which determines their layouts. These are facts of PyTorch's
// choice with cuDNN installed and enabled.
//
// B1  cuDNN takes no bf16, and f16 only with f32 parameters.
// B2  It requires weight and bias, both running statistics (in training none is allowed too), and at least three dims.
// B3  It limits the batch and the number of elements, and requires an epsilon that is not negative.
// Included by rules only.
#pragma once

#include <limits>

#include "kernels/norm/batch_norm.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// Does cuDNN take the call? REQUIRES: the first arguments are input, weight, bias, running mean and variance.
template <typename Call>
bool cudnn_takes(const Call& call, bool training, double eps) {
  const TensorMeta& in = call.meta(op_batch_norm::kNativeBatchNorm["input"]);
  if (!in.device.is_cuda() || !call.has(op_batch_norm::kNativeBatchNorm["weight"]) ||
      !call.has(op_batch_norm::kNativeBatchNorm["bias"]))
    return false;
  const DType weight = call.meta(op_batch_norm::kNativeBatchNorm["weight"]).dtype;
  if (in.dtype == DType::BF16 || weight == DType::BF16 || (in.dtype == DType::F16 && weight != DType::F32))
    return false;
  if (call.has(op_batch_norm::kNativeBatchNorm["running_mean"]) !=
          call.has(op_batch_norm::kNativeBatchNorm["running_var"]) ||
      (!training && !call.has(op_batch_norm::kNativeBatchNorm["running_mean"])))
    return false;
  return in.dim() >= 3 && size_le(in.sizes[0], training ? 880801 : 65535) && eps >= 0 &&
         size_lt(in.numel(), std::numeric_limits<int32_t>::max());
}

}  // namespace ersatz
