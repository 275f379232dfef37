// Softmax of any real tensor along one dim, which `_softmax`, `_log_softmax` and `_safe_softmax` run.
#pragma once

#include "kernels/reduction/softmax_loops.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// out = softmax of the elements of `in` along `dim` (may be negative), converted to the dtype of `out` first.
/// REQUIRES: equal sizes and a float dtype of `out`; strides may be any.
void softmax_into(const Tensor& in, const Tensor& out, int64_t dim, SoftmaxKind kind);
/// softmax_into on a CUDA device; part of the CUDA module.
void softmax_on_device(const Tensor& in, const Tensor& out, int64_t dim, SoftmaxKind kind);

}  // namespace ersatz
