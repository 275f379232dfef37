// Softmax of any real tensor along one dim. `_softmax`, `_log_softmax` and `_safe_softmax` call these functions.
#pragma once

#include "kernels/reduction/softmax_loops.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Converts the elements of `in` to the dtype of `out` and writes their softmax along `dim`, which may be negative.
/// REQUIRES: `in` and `out` have equal sizes, with any strides; the dtype of `out` is a float.
void softmax_into(const Tensor& in, const Tensor& out, int64_t dim, SoftmaxKind kind);
/// Does what softmax_into does, on a CUDA device. It is a part of the CUDA module.
void softmax_on_device(const Tensor& in, const Tensor& out, int64_t dim, SoftmaxKind kind);

}  // namespace ersatz
