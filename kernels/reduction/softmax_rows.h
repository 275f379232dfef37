// Softmax of any real tensor along one dim: what `_softmax`, `_log_softmax` and `_safe_softmax` run.
#pragma once

#include "kernels/reduction/softmax_loops.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// out = softmax of the elements of `in`, converted to the dtype of `out`, along `dim` (may be negative).
/// REQUIRES: equal sizes, a floating `out`; any strides.
void softmax_into(const Tensor& in, const Tensor& out, int64_t dim, SoftmaxKind kind);
/// The same on a CUDA device: part of the module.
void softmax_on_device(const Tensor& in, const Tensor& out, int64_t dim, SoftmaxKind kind);

}  // namespace ersatz
