// copy_flipped copies a tensor with some dims reversed, for `flip` and `rot90`.
#pragma once

#include "kernels/shape/dim_set.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Writes out[..., i, ...] = self[..., size - 1 - i, ...] along each dim in `dims`. REQUIRES: `out` and `self` have
/// equal sizes, one dtype and one device, the CPU or CUDA.
void copy_flipped(const Tensor& out, const Tensor& self, const DimSet& dims);

}  // namespace ersatz
