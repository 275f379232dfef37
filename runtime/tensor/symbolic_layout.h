// Converts the strides of a tensor with plain sizes to strides over symbolic sizes.
#pragma once

#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// Returns the strides of `recorded`, expressed in `sizes`: the sizes of `recorded`, some of them replaced by symbols.
/// The dims are visited from the smallest stride to the largest, equal ones from the last dim. If a stride equals the
/// previous dim's stride times its size (1 for the first dim), it becomes that product over `sizes`. Every other stride
/// stays. A size of 0 counts as 1. REQUIRES: as many sizes as dims. If `recorded` has symbolic strides, dims are
/// visited from the last.
DimVec strides_over(std::span<const SymInt> sizes, const TensorMeta& recorded);

}  // namespace ersatz
