// nansum, nanmean: sums and means in which NaNs count as nothing.
//
// Constraints
// [nansum.C1] dims are in range, at most 64, each named once.
// [nanmean.C1] `dtype`, where given, is a float or complex.
// Complex inputs are not supported; nanmean takes floats only. Integers and bool sum to i64 unless `dtype` says
// otherwise. No dims and an empty list mean all. The result is row-major.
#pragma once

#include <optional>

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

Tensor nansum(const Tensor& self, std::span<const SymInt> dim = {}, bool keepdim = false,
              std::optional<DType> dtype = std::nullopt);
Tensor nanmean(const Tensor& self, std::span<const SymInt> dim = {}, bool keepdim = false,
               std::optional<DType> dtype = std::nullopt);

}  // namespace ersatz::ops
