// cummax, cummin: running extremes along one dim, and their indices.
//
// Refused: a dim out of range (IndexError) and complex numbers, which have no order (NotSupported). Among equal
// elements the last one is chosen. NaN is more extreme than any number. Results are row-major; the indices are i64.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/reduction/cummax.h"

namespace ersatz::op_cummax {

inline constexpr TypedSchema kCummax{"aten::{}(Tensor self, int dim) -> (Tensor values, Tensor indices)", "cummax",
                                     "cummin"};

}  // namespace ersatz::op_cummax
