// cumsum: running sums along one dim.
//
// The dim is in range (IndexError). Integers and bool sum to i64 unless `dtype` says otherwise; in place, the input's
// dtype stays. The result is row-major.
#pragma once

#include <optional>

#include "runtime/tensor.h"

namespace ersatz::ops {

Tensor cumsum(const Tensor& self, int64_t dim, std::optional<DType> dtype = std::nullopt);

}  // namespace ersatz::ops
