// The conditions under which PyTorch's CUDA build, with cuDNN installed and enabled, runs a batch norm by cuDNN. cuDNN
// determines the layout of the results.
//
// B1  cuDNN does not support bf16, and supports f16 only with f32 parameters.
// B2  cuDNN requires weight and bias, both running statistics, and at least three dims. In training, both running
// statistics may be absent.
// B3  cuDNN limits the batch and the number of elements, and requires an epsilon that is not negative.
//
// Only files with rules include this header.
#pragma once

#include <limits>

#include "kernels/norm/batch_norm.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// True if PyTorch runs the call by cuDNN. REQUIRES: the first arguments are input, weight, bias, running mean and
/// variance.
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
