// The positions at which a mask is true, as one vector for each dim.
#pragma once

#include <vector>

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Returns i64 vectors of the coordinates at which the mask is true, in row-major order: one vector for each dim of the
/// mask, and one for a 0-d mask. REQUIRES: a bool or u8 CPU tensor.
std::vector<Tensor> masked_positions(const Tensor& mask);

}  // namespace ersatz
