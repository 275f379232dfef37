// Where a tensor is not zero.
#pragma once

#include <vector>

#include "runtime/tensor.h"

namespace ersatz::ops {

/// i64 [count, rank], rows in row-major order of the elements; the count depends on the values, so a fake run cannot
/// know it. Its layout is column-major, as PyTorch's is on the CPU.
Tensor nonzero(const Tensor& self);
/// `nonzero`.
Tensor argwhere(const Tensor& self);
/// A vector of positions for each dim; a tensor without dims counts as one of size 1.
std::vector<Tensor> nonzero_numpy(const Tensor& self);

}  // namespace ersatz::ops
