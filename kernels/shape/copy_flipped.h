// A copy with some dims read backwards: what `flip` and `rot90` run.
#pragma once

#include "kernels/shape/dim_set.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// out[..., i, ...] = self[..., size - 1 - i, ...] along each dim of the set. REQUIRES: equal sizes, dtype
/// and device, the CPU or CUDA.
void copy_flipped(const Tensor& out, const Tensor& self, const DimSet& dims);

}  // namespace ersatz
