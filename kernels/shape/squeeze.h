// Dims of size 1 put in and taken out: `squeeze`, `unsqueeze`, each also in place.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// Without every dim of size 1.
Tensor squeeze(const Tensor& self);
/// Without `dim` if its size is 1, else as it is. An index error for a dim outside [-rank, rank).
Tensor squeeze(const Tensor& self, int64_t dim);
/// Without those of `dims` whose size is 1.
/// [squeeze.C1] no dim twice.
Tensor squeeze(const Tensor& self, std::span<const SymInt> dims);
/// A dim of size 1 before `dim`, which lies in [-rank-1, rank+1), else an index error.
Tensor unsqueeze(const Tensor& self, int64_t dim);
/// `self` itself with new sizes and strides.
Tensor squeeze_(const Tensor& self);
Tensor squeeze_(const Tensor& self, int64_t dim);
Tensor squeeze_(const Tensor& self, std::span<const SymInt> dims);
Tensor unsqueeze_(const Tensor& self, int64_t dim);

}  // namespace ersatz::ops
