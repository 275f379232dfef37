// Where a mask is true, as one vector of positions a dim.
#pragma once

#include <vector>

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// i64 vectors, one for each dim of the mask (one in all for a mask without dims), in row-major order of what is true.
/// REQUIRES: a bool or u8 CPU tensor.
std::vector<Tensor> masked_positions(const Tensor& mask);

}  // namespace ersatz
