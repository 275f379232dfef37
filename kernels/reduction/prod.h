// prod: the product of all elements, or over one dim.
//
// The dim is in range (IndexError). Integers and bool multiply to i64 unless `dtype` is given; elements are converted
// to a given `dtype` first. The result is row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/prod.h"

namespace ersatz::op_prod {

inline constexpr TypedSchema kProd{"aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor"};
inline constexpr TypedSchema kProdDimInt{
    "aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"};

}  // namespace ersatz::op_prod
