// prod: the product of all elements, or over one dim.
//
// The dim is in range (IndexError). Integers and bool multiply to i64 unless `dtype` says otherwise; with `dtype` the
// elements are converted first. The result is row-major.
#pragma once

#include <optional>

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

Tensor prod(const Tensor& self, std::optional<DType> dtype = std::nullopt);
Tensor prod(const Tensor& self, int64_t dim, bool keepdim = false, std::optional<DType> dtype = std::nullopt);

}  // namespace ersatz::ops
