// The positions at which a mask is true, as one vector for each dim.
#pragma once

#include <vector>

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// i64 vectors of coordinates, one for each dim of the mask (one for a 0-d mask), in row-major order. REQUIRES: a bool
/// or u8 CPU tensor.
std::vector<Tensor> masked_positions(const Tensor& mask);

}  // namespace ersatz
