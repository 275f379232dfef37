// The elements where a mask is true, as a vector.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// Elements of `self` in row-major order, broadcast with the mask. How many depends on values: a fake run cannot know.
/// [masked_select.C1] a bool mask.
/// [masked_select.C2] mask and self broadcast.
Tensor masked_select(const Tensor& self, const Tensor& mask);

}  // namespace ersatz::ops
