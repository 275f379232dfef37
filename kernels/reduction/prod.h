// prod: the product of all elements, or over one dim.
//
// A dim out of range is refused (IndexError). Elements are first converted to `dtype` if it is given. Without `dtype`,
// integers and bool are multiplied as i64. The result is row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/prod.h"

namespace ersatz::op_prod {

inline constexpr TypedSchema kProd{"aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor"};
inline constexpr TypedSchema kProdDimInt{
    "aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"};

}  // namespace ersatz::op_prod
