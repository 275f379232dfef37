// Which batch norms PyTorch's CUDA build gives to cuDNN, for that decides layouts. Facts of its choice of a backend,
// with cuDNN present and switched on.
//
// B1  cuDNN takes no bf16, and f16 with f32 parameters only.
// B2  It wants weight and bias, running statistics both or, in training, neither, and three dims at least.
// B3  It has limits on the batch and the number of elements, and wants an epsilon that is not negative.
// Included by rules only.
#pragma once

#include <limits>

#include "kernels/norm/batch_norm.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// `call` has input, weight, bias, running mean and variance as its first arguments.
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
