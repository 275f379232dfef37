// prod: the product of all elements, or over one dim.
//
// The dim is in range (IndexError). Integers and bool multiply to i64 unless `dtype` says otherwise; with `dtype` the
// elements are converted first. The result is row-major.
#pragma once

#include <optional>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_prod {

inline constexpr Schema kProd{"aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor"};
inline constexpr Schema kProdDimInt{
    "aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"};

}  // namespace ersatz::op_prod

namespace ersatz::ops {

Tensor prod(const Tensor& self, std::optional<DType> dtype = std::nullopt);
Tensor prod(const Tensor& self, int64_t dim, bool keepdim = false, std::optional<DType> dtype = std::nullopt);

}  // namespace ersatz::ops
