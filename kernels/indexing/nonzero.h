// Where a tensor is not zero.
#pragma once

#include "runtime/tensor.h"

namespace ersatz::ops {

/// i64 [count, rank], rows in row-major order of the elements; the count depends on the values, so a fake run cannot
/// know it. Its layout is column-major, as PyTorch's is on the CPU.
Tensor nonzero(const Tensor& self);

}  // namespace ersatz::ops
