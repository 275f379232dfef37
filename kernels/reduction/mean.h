// mean: of all elements, or over dims.
//
// Constraints
// [mean.C1] dims are in range, at most 64, each named once.
// The result's dtype, the input's or `dtype`, must be a float or complex (NotSupported otherwise).
//
// The mean of nothing is NaN. The result is row-major.
#pragma once

#include <optional>

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

Tensor mean(const Tensor& self, std::optional<DType> dtype = std::nullopt);
Tensor mean(const Tensor& self, std::span<const SymInt> dim, bool keepdim = false,
            std::optional<DType> dtype = std::nullopt);

}  // namespace ersatz::ops
