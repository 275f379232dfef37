// Converts the strides of plain sizes to strides over symbolic sizes.
#pragma once

#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// The strides of `recorded` for a tensor of `sizes`, which are its sizes with symbols for some. A stride that is the
/// product of the sizes inside of it, or of these and of a stride inside, becomes that product of `sizes`. Every other
/// stride stays. Dims of equal strides count from the last one. Empty dims count as 1. REQUIRES: as many sizes; the
/// strides of `recorded` are plain integers, else they are read in row-major order.
DimVec strides_over(std::span<const SymInt> sizes, const TensorMeta& recorded);

}  // namespace ersatz
