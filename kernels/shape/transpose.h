// Exchanging two dims: `t` for matrices, `transpose` for any rank; each also in place (metadata only).
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// The matrix transposed; a vector or a 0-d tensor as it is.
/// [t.C1] at most 2 dims.
Tensor t(const Tensor& self);
/// Dims `dim0` and `dim1` exchanged; each in [-rank, rank), else an index error.
Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1);
/// `self` itself with new sizes and strides.
Tensor t_(const Tensor& self);
Tensor transpose_(const Tensor& self, int64_t dim0, int64_t dim1);

}  // namespace ersatz::ops
