// Converts the strides of a tensor with plain sizes to strides over symbolic sizes.
#pragma once

#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// Returns the strides of `recorded`, expressed in `sizes`: the sizes of `recorded`, some of them replaced by symbols.
/// The dims are visited in order of increasing strides, and dims of equal strides from the last one. If a stride equals
/// the stride times the size of the dim before it (or 1 for the first dim), it becomes the same product over `sizes`.
/// Every other stride stays. A size of 0 counts as 1. REQUIRES: as many sizes as dims. If `recorded` has symbolic
/// strides, dims are visited from the last.
DimVec strides_over(std::span<const SymInt> sizes, const TensorMeta& recorded);

}  // namespace ersatz
