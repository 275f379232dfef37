// Dims in another order.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// Dim i of the result is dim `dims[i]` of the input.
/// [permute.C1] as many dims as the input has.
/// [permute.C2] no dim twice.
Tensor permute(const Tensor& self, std::span<const SymInt> dims);
/// Dims `source` moved to the places `destination`, the others in their order.
/// [movedim.C1] as many sources as destinations.
/// [movedim.C2] no dim twice.
Tensor movedim(const Tensor& self, std::span<const SymInt> source, std::span<const SymInt> destination);

}  // namespace ersatz::ops
